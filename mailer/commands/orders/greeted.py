"""Whom a mail with orders greets or quotes, by the power or by the player's name: “Hi Germany,”,
“Dora suggests:”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from games.models import Game
from games.queries import board
from games.queries.access.anonymity import names_shown
from games.queries.players.seats import power_of_namesake
from mailer.commands.lines.spoken_to import AFTER_NAME, HELLO, names_of_staff, powers_addressed
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.reading.quotes import Line

LONGEST_HEADING = 100
_NAME = r"[^\W\d_][\w'’-]+(?:\s+(?!and\b)[^\W\d_][\w'’-]+)?"
_SAYS_NAME = re.compile(
    rf"({_NAME})(?:\s*:|\s+(?:propose|suggest|want|say|ask|write|tell|think|order)s\b[^:]{{0,40}}:)",
    re.IGNORECASE,
)
"""Words above what somebody said or wants: "Dora:", "Dora wants:"."""
_AND = rf"(?:\s*(?:[&+]|\band\b)\s*{HELLO}?|\s*,\s*{HELLO})"
_HELLO_NAME = re.compile(
    rf"{HELLO}(?!(?:all|there|every|folks|guys|team|gm|judge|server)\w*\b)"
    rf"({_NAME}(?:{_AND}{_NAME}){{0,4}}){AFTER_NAME}",
    re.IGNORECASE,
)
_MOST_GREETED = 3


def is_said_by(text: str, powers: Sequence[str], view: Viewpoint) -> bool:
    """Whether a line names a player of one of these powers as the speaker of the lines below."""
    match = _SAYS_NAME.fullmatch(text[:LONGEST_HEADING])
    named = view.greeted.get(match[1], ()) if match else ()
    return bool(named) and {*named} <= {*powers}


def speaks_to_others(text: str, view: Viewpoint) -> bool:
    """Whether a line speaks to another power: "Hi Germany,"."""
    return spoken_in(text, view) is not None


def spoken_in(text: str, view: Viewpoint) -> tuple[list[str], str] | None:
    """The powers to whom a line speaks, by themselves or by their players' names, and what it says
    after naming them; None if it speaks to nobody."""
    for name, powers in view.greeted.items():
        pattern = rf"{HELLO}{re.escape(name)}{AFTER_NAME}"
        if match := re.match(pattern, text[:LONGEST_HEADING], re.IGNORECASE):
            return [*powers], text[match.end() :].strip()
    return powers_addressed(in_english(text, view), others(view))


def with_greeted(view: Viewpoint, lines: Sequence[Line], game: Game) -> Viewpoint:
    """The viewpoint, with the players whom the lines greet or quote by name.

    Not in anonymous games, and not names that somebody who runs the game has.
    """
    texts = [line.text[:LONGEST_HEADING] for line in lines]
    found = (_HELLO_NAME.match(text) or _SAYS_NAME.fullmatch(text) for text in texts)
    said = dict.fromkeys(str(match[1]) for match in found if match)
    if not (said and names_shown(game)):
        return view
    known = {name: _powers_greeted(name, view, game) for name in [*said][:_MOST_GREETED]}
    return replace(view, greeted={name: powers for name, powers in known.items() if powers})


def _powers_greeted(names: str, view: Viewpoint, game: Game) -> Sequence[str]:
    """The powers of the players in "Dora" or "Dora and Emma"; none if one of them is no other
    player of the game, or shares a name with somebody who runs the game."""
    theirs = names_of_staff(game)
    powers = []
    for name in re.split(_AND, names, flags=re.IGNORECASE):
        words = name.casefold().split()
        is_staff = any(words == one[: len(words)] for one in theirs)
        power = "" if is_staff else power_of_namesake(name, game)
        if not power or (power == view.power and words != names.casefold().split()):
            return ()
        powers.append(power)
    return powers


def in_english(text: str, view: Viewpoint) -> str:
    """The text with our names for the powers: "England" for "Britain"."""
    return board.powers_in_english(text, view.position.variant.powers)


def others(view: Viewpoint) -> list[str]:
    """The powers that somebody else plays."""
    return [name for name in view.position.variant.powers if name != view.power]
