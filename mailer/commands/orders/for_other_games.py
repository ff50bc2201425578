"""Orders and commands below the name of another of their writer's games: “[verdun]”."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db.models import Q

from games.models import Game, Seat
from mailer.commands.orders.in_doubt import Doubted
from mailer.reading.courtesies import HAS_GREETED
from mailer.reading.quotes import Line
from mailer.reading.seasons import WORDS as _SEASONS

_ABOVE = (
    "my|our|the|these|this|here|are|is|and|for|in|to|orders?|moves?|a|there"
    "|typo|slip|mistake|error|correction|changes?|last|previous|earlier|e-?mail|mail|message"
)
_AFTER = (
    rf"orders?|moves?|game|i|want|do|play|are|is|as|follows?|turn|phase|{_SEASONS}"
    r"|[12]\d{3}|[sfw]\d{2,4}[mra]?"
)
_HEADING = re.compile(
    rf"\W*(?:(?:{_ABOVE})\W+){{0,8}}(?:game\b\s*(?:\d{{1,2}}\b)?\W*)?(?P<name>[a-z][\w-]*)"
    rf"(?:\W+(?:{_AFTER})\b|\s*\(\s*[a-z]{{3,20}}\s*\)|\s*/\s*[a-z]{{3,20}}\b){{0,6}}"
    r"(?:\s*\]?\s*:\s*(?P<orders>\w.*)|\W*)",
    re.IGNORECASE,
)
_USUAL = re.compile(
    rf"{_ABOVE}|{_AFTER}|first|second|third|last|next|then|new|old"
    "|army|armies|fleets?|units?|gm",
    re.IGNORECASE,
)
"""Names of games that are also words above orders. We take them for the game only if they are
written as a name, "[spring]"."""
_AS_NAME = re.compile(r"\bgame\b|\[", re.IGNORECASE)
_LONGEST = 100
"""How many characters a heading may have."""
_BELOW = (
    "It stands below “{}”, so we do not follow it in the game {}. Send it in a reply to a mail "
    "about the game it is for."
)
_COMMAND_BELOW = (
    "It stands below “{}”, so it does nothing in the game {}. Send it in a reply to a mail about "
    "the game it is for."
)


def of_this_game(
    lines: Sequence[Line], seat: Seat, greeted: Sequence[Line]
) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines without those below the name of another game that the player has joined. The name
    may stand in one of the lines that were `greeted` as introductions: "My orders for verdun:"."""
    said = introductions(greeted)
    named = _games_named([*said, *lines], seat)
    if not named:
        return lines, ()
    this = seat.power.game.name
    kept, doubted, heading = list[Line](), list[Doubted](), ""
    for line in sorted([*said, *lines], key=lambda line: line.number):
        text = "" if line in said else line.text
        if line.number in named:
            heading, text = named[line.number]
        if heading and text:
            doubted.append(Doubted(line, _BELOW.format(heading, this)))
        elif text:
            kept.append(replace(line, text=text))
    return kept, doubted


def introductions(greeted: Sequence[Line]) -> list[Line]:
    """The greetings that may name the game for the lines below them."""
    return [line for line in greeted if line.text.endswith(":")]


def below_other_games(
    commands: Sequence[int], lines: Sequence[Line], seat: Seat
) -> Mapping[int, str]:
    """Why commands on lines of these numbers do nothing in this game: the last game named above
    them is another one.

    `lines` are those between the commands.
    """
    named = _games_named(lines, seat) if commands else {}
    found = dict[int, str]()
    for number in commands:
        above = max((at for at in named if at < number), default=None)
        if above is not None and (heading := named[above][0]):
            found[number] = _COMMAND_BELOW.format(heading, seat.power.game.name)
    return found


def _games_named(lines: Sequence[Line], seat: Seat) -> Mapping[int, tuple[str, str]]:
    """By the number of each line that names a game of the player: the heading, or "" for this game,
    and the orders after it."""
    power, this = seat.power.name, seat.power.game.name.lower()
    headings = [(line, match) for line in lines if (match := _heading(line.text, power))]
    if not headings:
        return {}
    others = _others(seat, {match["name"].lower() for _, match in headings})
    found = dict[int, tuple[str, str]]()
    for line, match in headings:
        name, orders = match["name"].lower(), match["orders"] or ""
        if name in others:
            found[line.number] = line.text.removesuffix(orders).strip(), orders
        elif name == this:
            found[line.number] = "", orders
    return found


def _heading(text: str, power: str) -> re.Match[str] | None:
    """A line that may begin with the name of a game: "[verdun]", "verdun: A Par - Bur"."""
    text = HAS_GREETED.sub("", text[: _LONGEST + 1], count=1)
    match = _HEADING.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None or _AS_NAME.search(text):
        return match
    name = match["name"]
    return None if _USUAL.fullmatch(name) or name.lower() == power.lower() else match


def _others(seat: Seat, names: set[str]) -> set[str]:
    theirs = Q(powers__seats__player=seat.player_id) | Q(applications__player=seat.player_id)
    found = Game.objects.filter(theirs).exclude(pk=seat.power.game_id)
    joined = {name.lower() for name in found.values_list("name", flat=True)}
    return joined & names
