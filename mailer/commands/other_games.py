"""Orders below the name of another game of their writer: “[verdun]”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db.models import Q

from games.models import Game, Seat
from mailer.commands.in_doubt import Doubted
from mailer.reading.quotes import Line

_HEADING = re.compile(
    r"\W*(?:(?:my\s+)?orders\s+)?(?:(?:and\s+)?(?:for|in)\s+)?(?:the\s+)?(?:game\b\s*(?:\d{1,2}\b)?\W*)?"
    r"(?P<name>[a-z][\w-]*)"
    r"(?:\s*(?:\(\s*[a-z]{3,20}\s*\)|\bi\s+(?:order|want|do|play)\b)?\s*\]?\s*:\s*(?P<orders>\w.*)"
    r"|(?:\s*\(\s*[a-z]{3,20}\s*\)|\s+i\s+(?:order|want|do|play))?\W*)",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[:\]]|\bgame\b|^\s*#|[-=*_#]{2,}\s*$|^\s*[a-z][\w-]*\s*$", re.IGNORECASE)
_BELOW = (
    "It stands below “{}”, so it is not followed in the game {}. Send it in a reply to a mail of "
    "the game that it is for."
)


def of_this_game(lines: Sequence[Line], seat: Seat) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines without those below the name of another game that the player has joined."""
    headings = {at: match for at, line in enumerate(lines) if (match := _heading(line.text))}
    if not headings:
        return lines, ()
    this = seat.power.game.name
    others = _others(seat, {match["name"].lower() for match in headings.values()})
    kept, doubted, heading = list[Line](), list[Doubted](), ""
    for at, line in enumerate(lines):
        match = headings.get(at)
        name, text = (match["name"].lower(), match["orders"] or "") if match else ("", line.text)
        if name in others:
            heading = line.text.removesuffix(text).strip()
        elif name == this.lower():
            heading = ""
        else:
            text = line.text
        if heading and text:
            doubted.append(Doubted(line, _BELOW.format(heading, this)))
        elif text:
            kept.append(Line(line.number, text))
    return kept, doubted


def _heading(text: str) -> re.Match[str] | None:
    """A line that may begin with the name of a game: "[verdun]", "verdun: A Par - Bur"."""
    return _HEADING.fullmatch(text) if _SIGN.search(text) else None


def _others(seat: Seat, names: set[str]) -> set[str]:
    theirs = Q(powers__seats__player=seat.player_id) | Q(applications__player=seat.player_id)
    found = Game.objects.filter(theirs).exclude(pk=seat.power.game_id)
    joined = {name.lower() for name in found.values_list("name", flat=True)}
    return joined & names
