"""Orders of a mail that stand below the name of another game of its writer: “[verdun]”."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from django.db.models import Q

from games.models import Game, Seat
from mailer.commands.in_doubt import Doubted
from mailer.reading.quotes import Line

_HEADING = re.compile(
    r"\W*(?:(?:my\s+)?orders\s+)?(?:(?:for|in)\s+)?(?:the\s+)?(?:game\b\W*)?(?P<name>[a-z][\w-]*)\W*",
    re.IGNORECASE,
)
_SIGN = re.compile(r".*[:\]].*|.*\bgame\b.*", re.IGNORECASE)
_BELOW = (
    "It stands below “{}”, so it is not followed in the game {}. Send it in a reply to a mail of "
    "the game that it is for."
)


def of_this_game(lines: Sequence[Line], seat: Seat) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines without those below the name of another game that the player has joined."""
    names = {at: name for at, line in enumerate(lines) if (name := _named(line.text))}
    if not names:
        return lines, ()
    this, others = seat.power.game.name, _others(seat, names.values())
    kept, doubted, heading = list[Line](), list[Doubted](), ""
    for at, line in enumerate(lines):
        name = names.get(at, "")
        if name in others:
            heading = line.text
        elif name == this.lower():
            heading = ""
        elif heading:
            doubted.append(Doubted(line, _BELOW.format(heading, this)))
        else:
            kept.append(line)
    return kept, doubted


def _named(text: str) -> str:
    """The one name in a heading, in lower case; empty for other lines."""
    match = _HEADING.fullmatch(text) if _SIGN.fullmatch(text) else None
    return match["name"].lower() if match else ""


def _others(seat: Seat, names: Iterable[str]) -> set[str]:
    theirs = Q(powers__seats__player=seat.player_id) | Q(applications__player=seat.player_id)
    found = Game.objects.filter(theirs).exclude(pk=seat.power.game_id)
    joined = {name.lower() for name in found.values_list("name", flat=True)}
    return joined.intersection(names)
