"""The point of view from which we read order lines, and the orders that we find in them.

The server and `manage.py read_mail` both read a mail's orders here, and nowhere else.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from games.errors import BadInput
from games.models import Phase
from games.queries import board
from games.queries.orders.current_orders import position_seen
from games.queries.parsing.conditional_orders import MOST_LINES, Script, are_conditional, read_lines
from mailer.reading import phrases
from mailer.reading.quotes import Line

NONSENSE = 5
"""After this many lines in a row without an order, the text is about something else."""
_AFTER_LETTER = re.compile(
    r"\b(?:a|f|army|fleet)\.?\s+(?=((?:[^\W\d_][\w.'/]*\s*){1,3}))", re.IGNORECASE
)
_BEFORE_SIGN = re.compile(
    r"((?:[^\W\d_][\w.'/]*\s+){0,2}[^\W\d_][\w.'/]*)\s*"
    r"(?:-+>?|=>|[–—→]|\b(?:to|holds?|s|supports?|c|convoys?|should|stays?|remains?|goes|than)\b)",
    re.IGNORECASE,
)
_OR = re.compile(r"\W*or\b", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_][\w.'’-]{2,}")


@dataclasses.dataclass(frozen=True)
class Viewpoint:
    """The position in which orders are read, and the power that gives them."""

    position: board.Position
    power: str
    rules: object
    is_ahead: bool = False
    """Whether the phase is yet to come, so that the position is only assumed."""
    since: dt.date | None = None
    """The day on which the phase began, if it belongs to a game."""
    greeted: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    """Names in the mail that mean other players ("Dora and Emma"), and their powers."""

    @classmethod
    def of(cls, phase: Phase, power: str) -> Viewpoint:
        """A power's place in a phase of a game."""
        since = phase.opened_at.date()
        return cls(position_seen(phase, power), power, phase.game.rules, since=since)

    def at_later(self, name: str) -> Viewpoint:
        """The same power's place in a later phase, as if nothing changed on the board before it."""
        position = board.as_if_in(self.position, name)
        return dataclasses.replace(self, position=position, is_ahead=True)

    def readings(self, texts: Sequence[str]) -> tuple[board.Reading, ...]:
        """The texts as orders of the power, each by itself."""
        return board.read_orders(self.position, self.power, texts, board.rulebook_of(self.rules))

    def chosen(self, lines: Sequence[Line]) -> Sequence[Line]:
        """The lines whose conditions are met. Raises BadInput for one that cannot be read."""
        if not self.is_conditional(lines):
            return lines
        met = self._script(lines).chosen(self.position)
        return [Line(number, text) for number, text in met]

    def is_conditional(self, lines: Sequence[Line]) -> bool:
        """Whether some of the lines stand under a condition or are meant to: below PHASE, any line
        that begins with IF."""
        if self.is_ahead:
            return True
        variant, step = self.position.variant.name, self.position.phase.step
        return are_conditional(_numbered(lines), variant=variant, power=self.power, step=step)

    def readable(self, lines: Sequence[Line]) -> int:
        """How many lines from the top have conditions that we can read, block by block."""
        if not self.is_conditional(lines):
            return len(lines)
        most = min(len(lines), MOST_LINES)
        return next(count for count in range(most, -1, -1) if self._is_whole(lines[:count]))

    def _is_whole(self, lines: Sequence[Line]) -> bool:
        try:
            self._script(lines)
        except BadInput:
            return False
        return True

    def _script(self, lines: Sequence[Line]) -> Script:
        variant, step = self.position.variant.name, self.position.phase.step
        return read_lines(_numbered(lines), variant=variant, power=self.power, step=step)

    def split(self, lines: Sequence[Line]) -> tuple[Sequence[Line], Sequence[Line]]:
        """The lines to read, and those from the first nonsense below the last own order on.

        Somebody who wrote that many lines has gone on to something else, or we took a quoted mail
        for the writer's own words: orders further down may be anybody's. Lines above one of the
        writer's own orders do no harm, however many there are.
        """
        read = self.readings([line.text for line in lines])
        readable = {one.line for one in read if is_order(one)}
        last_own = max((one.line for one in read if self.is_own(one)), default=-1)
        for start in range(last_own + 1, len(lines) - NONSENSE + 1):
            if readable.isdisjoint(range(start, start + NONSENSE)):
                return lines[:start], lines[start:]
        return lines, ()

    def has_order(self, lines: Sequence[Line]) -> bool:
        """Whether a line is an order from its first word to its last, possible or not."""
        read = self.readings([line.text for line in lines])
        unreadable = {one.line for one in read if not is_order(one)}
        return any(one.line not in unreadable for one in read)

    def is_own(self, reading: board.Reading) -> bool:
        """Whether an order is for this power's own units, possible or not."""
        if reading.problem is None or reading.problem.kind == "ambiguous":
            return True
        if self.position.phase.step == "A":
            return reading.order is not None
        return board.ordered_unit(reading.order) in self._units

    @cached_property
    def _units(self) -> frozenset[str]:
        return frozenset(board.duty_of(self.position, self.power).units)


def _numbered(lines: Sequence[Line]) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in lines]


def is_order(reading: board.Reading) -> bool:
    """Whether a line can be read as an order, possible or not."""
    return reading.problem is None or reading.problem.kind != "unreadable"


@dataclasses.dataclass(frozen=True)
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


Reason = tuple[Piece, str]
"""What not to follow, and why; a heading has no reason, because the others name it."""


def pieces(lines: Sequence[Line], view: Viewpoint) -> list[Piece]:
    """The orders in the lines, in their order; a line without anything readable is one piece."""
    by_line: list[list[board.Reading]] = [[] for _ in lines]
    for one in view.readings([line.text for line in lines]):
        by_line[one.line].append(one)
    found = []
    for at, (line, of_line) in enumerate(zip(lines, by_line, strict=True)):
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


def provinces_named(text: str, view: Viewpoint) -> set[str]:
    """The provinces of the units that a line is about."""
    after = [words for match in _AFTER_LETTER.finditer(text) for words in _starts(match[1])]
    before = [words for match in _BEFORE_SIGN.finditer(text) for words in _ends(match[1])]
    order = "Disband A {}" if view.position.phase.step == "A" else "A {} H"
    texts = [order.format(words) for words in dict.fromkeys([*after, *before])]
    return {board.ordered_province(one.order) for one in view.readings(texts)} - {""}


def asks_of_own(text: str, view: Viewpoint) -> bool:
    """Whether a question names one of the power's own units, or where it stands, or goes on from
    an order: "(or Picardy?)"."""
    if _OR.match(text):
        return True
    words = _NAME.findall(text[: phrases.LONGEST_RULED])
    order = "Disband A {}" if view.position.phase.step == "A" else "A {} H"
    texts = [order.format(word) for word in dict.fromkeys(words)]
    return any(one.order and not one.guessed and view.is_own(one) for one in view.readings(texts))


def _starts(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[:count]) for count in range(1, len(words) + 1)]


def _ends(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[-count:]) for count in range(1, len(words) + 1)]
