"""Moves that somebody tells others, and perhaps does not order: “Hi Germany, I plan the
following:”, or “Letter to Italy”, with orders below.

They came to the judge, but their writer may not want them as orders: people tell plans to deceive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from games.errors import BadInput
from games.queries import board
from games.queries.parsing.press_audience import EVERYBODY
from games.queries.reports.wording import listed
from mailer.commands.orders.greeted import LONGEST_HEADING, spoken_in
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint
from mailer.reading import courtesies, phrases
from mailer.reading.quotes import Line

_FARTHEST = 2
"""How many lines below “my plan is:” its moves may stand."""
_IN_A_LETTER = (
    "This stands in what reads like a letter to {}, so we do not know whether it is also an order. "
    "If it is, send it again without the letter."
)
_PRESS_LINE = re.compile(
    r"\W*(?:please\s+)?(?:(?:an?|my|the|this|public|private|secret|open|fake|white)\s+)*"
    r"(?:press|broadcast)(?:\s+(?:release|statement)|\s+(?:to|for|from)\b.{0,80})?\W*"
    r"|\W*(?:press|broadcast)\b(?!\W*(?:is|was|are|on|off|none|no|nothing)\b).{0,40}",
    re.IGNORECASE,
)
_LETTER_LINE = re.compile(
    r"\W*(?:please\s+)?(?:(?:an?|my|the|this|short|private|secret|send|write|pass)\s+)*"
    r"(?:(?:letter|message|msg|e-?mail|mail|note|pm|dm|send|write|tell|say|forward|nachricht|brief"
    r"|mitteilung|lettre|mensaje|carta|messaggio|lettera|bericht|wiadomo\w+)\b\s*:?\s*"
    r"(?:(?:this|the\s+following|it|on)\s+)*(?:(?:to|for|an|à|a|al|alla|para|voor|do)\b\s*:?)?"
    r"|(?:to|for|an|à|para|voor)\b\s*:?|@)\s*(?P<names>[^:.!?]{1,60}?)\s*[:.,!]*",
    re.IGNORECASE,
)
_APART = re.compile(r"(?:[\s,;&+/@]|\b(?:and|the|und|et|y|e|to)\b)+", re.IGNORECASE)
IN_A_TEXT = (
    "What comes after “{}” reads like part of a letter, so we do not take it as an order. Nobody "
    "has received the letter: to send it, write PRESS TO and the powers above it. To order this, "
    "send it again without that line."
)
IN_IT_TOO = "It stands in the same letter, so we do not follow it either."


def told_below_headings(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders below a line that heads a letter in words that are no command, each with the
    reason not to follow it."""
    heading: Piece | None = None
    why = ""
    for piece in found:
        if not piece.province and heads_letter(piece.line.text, view):
            heading, why = piece, IN_A_TEXT.format(piece.line.text)
        elif not piece.province and introduces(piece.line.text):
            heading = None
        elif heading and piece.province:
            yield heading, ""
            yield piece, why
            why = IN_IT_TOO


def heads_letter(text: str, view: Viewpoint) -> bool:
    """Whether a line only says for which other powers the text below it is."""
    if len(text) > LONGEST_HEADING:
        return False
    if _PRESS_LINE.fullmatch(text):
        return True
    match = _LETTER_LINE.fullmatch(text)
    named = [one for one in _APART.split(match["names"]) if one] if match else []
    return bool(named) and all(_is_reader(name, view) for name in named)


def _is_reader(name: str, view: Viewpoint) -> bool:
    if name.lower() in EVERYBODY:
        return True
    try:
        return board.power_named(view.position.variant.name, name) != view.power
    except BadInput:
        return False


def told_to_others(
    found: Sequence[Piece], greeted: Sequence[Line], view: Viewpoint
) -> Iterator[Reason]:
    """The orders right below a colon in a letter to another power, each with the reason not to
    follow it.

    `greeted` are the greetings of the mail, which are not among its lines.
    """
    readers: list[str] = []
    before = Line(0, "")
    for line in _prose(found, greeted):
        spoken = spoken_in(line.text, view)
        if spoken:
            is_letter = spoken[0] != [view.power] and _is_letter(line.text, spoken[1])
            readers = spoken[0] if is_letter else []
        elif _is_over(before, line, found):
            readers = []
        if readers and line.text.endswith(":") and not _heads_own(line.text, spoken):
            why = _IN_A_LETTER.format(listed(readers))
            for piece in right_below(line, found):
                yield piece, why
                why = IN_IT_TOO
        before = line


def _prose(found: Sequence[Piece], greeted: Sequence[Line]) -> list[Line]:
    """The lines that are not orders, from top to bottom."""
    texts = [piece.line for piece in found if not piece.province]
    return sorted([*texts, *greeted], key=lambda line: line.number)


def _is_over(before: Line, line: Line, found: Sequence[Piece]) -> bool:
    """Whether a letter ends between two lines: at an order, or at a gap below its greeting's
    own."""
    numbers = [piece.line.number for piece in found if piece.province]
    if any(before.number < number < line.number for number in numbers):
        return True
    return line.number > before.number + 1 and not before.text.endswith(",")


def _is_letter(text: str, after: str) -> bool:
    """Whether a line speaks to somebody; "Germany:" is the heading of a power's orders."""
    return bool(after) or not text.endswith(":")


def _heads_own(text: str, spoken: object) -> bool:
    """Whether a line ends by announcing the writer's orders; after speaking to another power it
    takes a sentence of its own: "Hi Germany, sorry for the delay. My orders:"."""
    *before, last = re.split(r"[.!?]+\s+", text)
    return introduces(last if before else text) and (bool(before) or not spoken)


def introduces(text: str) -> bool:
    """Whether a line only says that orders follow: "My orders:"."""
    return bool(courtesies.INTRODUCTION.fullmatch(text[: phrases.LONGEST_RULED]))


def right_below(line: Line, found: Sequence[Piece]) -> Iterator[Piece]:
    """The orders below a line, down to the next gap."""
    last = line.number + _FARTHEST - 1
    for piece in found:
        if piece.line.number <= line.number:
            continue
        if not piece.province or piece.line.number > last + 1:
            return
        yield piece
        last = piece.line.number
