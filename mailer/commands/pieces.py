"""The orders of a mail one by one, each with the province of its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.queries import board
from mailer.commands.viewpoint import Viewpoint, is_order
from mailer.reading.quotes import Line

_BEHIND_LETTER = re.compile(
    r"\b(?:a|f|army|fleet)\.?\s+(?=((?:[^\W\d_][\w.'/]*\s*){1,3}))", re.IGNORECASE
)
_BEFORE_SIGN = re.compile(
    r"((?:[^\W\d_][\w.'/]*\s+){0,2}[^\W\d_][\w.'/]*)\s*"
    r"(?:-+>?|=>|[–—→]|\b(?:to|holds?|s|supports?|c|convoys?|should|stays?|remains?|goes|than)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Piece:
    """One order of a line, or a line that cannot be read completely."""

    at: int
    """The index of its line."""
    line: Line
    province: str
    """The province of the unit that it orders; "" for an order to all units, and for other text."""
    order: str
    """In the judge's notation; empty for other text."""
    provinces: frozenset[str]
    """The provinces of all units that it orders: several in "All hold except A Par - Bur"."""


def pieces(lines: Sequence[Line], view: Viewpoint) -> list[Piece]:
    """The orders in the lines, in their order; a line in which nothing can be read is a piece."""
    read = view.readings([line.text for line in lines])
    found = []
    for at, line in enumerate(lines):
        of_line = [one for one in read if one.line == at]
        texts = [one.text for one in of_line]
        if len(of_line) < 2 or len(set(texts)) < len(texts) or not all(map(is_order, of_line)):
            found.append(_piece(at, line, of_line))
            continue
        found += [_piece(at, Line(line.number, one.text), [one]) for one in of_line]
    return found


def _piece(at: int, line: Line, read: Sequence[board.Reading]) -> Piece:
    order = read[0].order if len(read) == 1 else None
    provinces = frozenset(board.ordered_province(one.order) for one in read) - {""}
    return Piece(at, line, board.ordered_province(order), str(order or ""), provinces)


def named(text: str, view: Viewpoint) -> set[str]:
    """The provinces of the units that a line is about."""
    behind = [words for match in _BEHIND_LETTER.finditer(text) for words in _starts(match[1])]
    before = [words for match in _BEFORE_SIGN.finditer(text) for words in _ends(match[1])]
    order = "Disband A {}" if view.position.phase.step == "A" else "A {} H"
    texts = [order.format(words) for words in dict.fromkeys([*behind, *before])]
    return {board.ordered_province(one.order) for one in view.readings(texts)} - {""}


def _starts(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[:count]) for count in range(1, len(words) + 1)]


def _ends(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[-count:]) for count in range(1, len(words) + 1)]
