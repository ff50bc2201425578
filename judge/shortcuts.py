"""The short ways past the grammar and the rules of legality, and what each of them saves.

Nearly every order is plain: it is written as the judge itself prints it, or this process has read
it before, and its unit stands just as it says. Each short way leaves everything else to the long
way and gives the same answer; tests compare the two. All short ways are here and in
`judge.canonical`: if you change a rule of reading or of legality, look through these two modules,
too.

What the judge loses in phases per second without each of them, from text to the next state (150
phases of 31 units, best of 5 rounds, 2026-11): for lines in our own notation that are new to the
process, for those that it has read before, for other lines that it has read before ("F Nth C A Lon
- Nwy"), and for orders given as values:

    canonical notation (`judge.canonical`)   84 %    0 %    0 %    0 %
    literal orders (`literal_order`)         0 %    0 %    5 %    0 %
    remembered answers (`AnswerMemory`)      1 %    2 %   39 %    0 %
    plain legality (`is_plain`)              4 %    0 %    2 %   19 %
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.board import Board
from judge.legality.lines import Line
from judge.orders import Convoy, Hold, Move, Order, Support
from judge.places import Location
from judge.rulebook import Rulebook
from judge.text.written import Written, WrittenUnit
from judge.units import Unit

if TYPE_CHECKING:
    from judge.layout import Layout
    from judge.position import Position
    from judge.text.answers import Answer

UnitAt = Sequence[Unit | None]
"""The unit in each province, by its index."""

NOWHERE = -1
LONGEST_REMEMBERED = 120
"""How many letters a line may have to be remembered."""

_MOST_RULEBOOKS = 64
_MOST_ANSWERS = 100_000
"""How many answers are remembered before all are forgotten; each takes some 400 bytes."""
_MOST_OF_A_LINE = 4

# 1. What the judge itself prints, read back without the grammar: see `judge.canonical`.

Canonical = Hold | Move | Support | Convoy


# 2. A written order that means what it says to the letter.


def literal_order(
    written: Written, provinces: Sequence[int], unit_at: UnitAt, board: Board, rules: Rulebook
) -> Canonical | None:
    """Return the order as it says to the letter, legal or not.

    None if it leaves something out, or differs from the board, so that it may mean something else.
    `provinces` are those of its places. The long way returns the same order and nothing to note.
    """
    own, other, to, action = written.unit, written.aided, written.to, written.action
    if own is None or written.nation or written.initial:
        return None
    if to is not None and (to.coast or to.through):
        return None
    unit = as_written(own, unit_at[provinces[0]])
    if unit is None:
        return None
    end = None if to is None else board.locations[provinces[-1]]
    if other is not None:
        supported = as_written(other, unit_at[provinces[1]])
        if supported is None or rules.missing_nationality != "b" or rules.wrong_nationality != "b":
            return None
        if action == "support":
            return Support(unit, supported, end)
        return None if end is None else Convoy(unit, supported, end)
    if action == "move" and end is not None:
        # A fleet may leave its coast out, and is never convoyed.
        sure = unit.kind == "A" or not (end.province.coasts or written.by_convoy)
        return Move(unit, end, written.by_convoy) if sure else None
    return Hold(unit) if action == "hold" else None


def as_written(written: WrittenUnit, unit: Unit | None) -> Unit | None:
    """Return the unit in the province if it stands there just as it was written."""
    if unit is None or written.kind != unit.kind:
        return None
    coast = written.place.coast
    return unit if coast is None or coast == unit.location.coast else None


# 3. Orders that are plainly legal, as one look at the units shows.


def is_plain(order: Order, position: Position, power: str) -> bool:
    """Tell whether one look at the units shows that the order is legal, as nearly all orders are.

    A unit of the power, standing there just so, holds, takes a step, or supports what another unit
    can do by itself; or a single fleet is the whole way of a convoy. No rule makes that illegal. An
    order that is not plain may be legal, too.
    """
    return plainness(order, position.layout, position.variant.board, power) != NOT_PLAIN


NOT_PLAIN, PLAIN, LASTING = range(3)
"""How plain an order is: not at all; legal with the fleets now at sea; or legal as long as the
units it names stay where they are, whatever becomes of the others."""


def plainness(order: Order, layout: Layout, board: Board, power: str) -> int:
    """Return how plainly legal the order is: see `is_plain`."""
    unit_at, fleets_at_sea = layout.unit_at, layout.fleets_at_sea
    # Positions share their units (`Variant.unit`), so "is" finds a unit that stands there. One that
    # is merely equal goes the long way.
    if type(order) is Move:
        unit, to = order.unit, order.to
        if unit_at[unit.at] is not unit or unit.power != power or order.path:
            return NOT_PLAIN
        if to.index in board.goals[unit.kind][unit.location.index] and not order.via_convoy:
            return LASTING
        return PLAIN if _ferries(unit, to, board) & fleets_at_sea else NOT_PLAIN
    if type(order) is Support:
        return _support_plainness(order, unit_at, board, fleets_at_sea, power)
    if type(order) is Hold:
        unit = order.unit
        return LASTING if unit_at[unit.at] is unit and unit.power == power else NOT_PLAIN
    if type(order) is Convoy:
        unit, army = order.unit, order.army
        if unit_at[unit.at] is not unit or unit.power != power or unit_at[army.at] is not army:
            return NOT_PLAIN
        alone = (_ferries(army, order.to, board) & fleets_at_sea) >> unit.at & 1
        return LASTING if alone else NOT_PLAIN
    return NOT_PLAIN


def _ferries(army: Unit, to: Location, board: Board) -> int:
    """Return the provinces in which a single fleet at sea is enough to convoy the unit, if it can
    be convoyed there at all."""
    return 0 if army.kind != "A" or to.coast else fleets_between(army.at, to.at, board)


def fleets_between(start: int, end: int, board: Board) -> int:
    """Return the provinces in which a single fleet can convoy an army from province to province."""
    if start == end or not board.coastal >> start & board.coastal >> end & 1:
        return 0
    return board.shores[start] & board.shores[end] & ~(1 << end)


def _support_plainness(
    order: Support, unit_at: UnitAt, board: Board, fleets_at_sea: int, power: str
) -> int:
    unit, other, to = order.unit, order.supported, order.to
    if unit_at[unit.at] is not unit or unit.power != power:
        return NOT_PLAIN
    if other is unit or unit_at[other.at] is not other:
        return NOT_PLAIN
    reach = board.support_reaches[unit.kind][unit.location.index]
    if to is None:
        return LASTING if reach & board.bit[other.at] else NOT_PLAIN
    if not reach & board.bit[to.at]:
        return NOT_PLAIN
    if to.index in board.goals[other.kind][other.location.index]:
        return LASTING
    # A fleet that supports an army cannot convoy it, too (6.D.31).
    ferries = _ferries(other, to, board) & fleets_at_sea & ~board.bit[unit.at]
    return PLAIN if ferries else NOT_PLAIN


# 4. Answers that depend on nothing but the units an order names.


def is_local(order: Order | None, board: Board) -> bool:
    """Tell whether the order's legality depends on nothing but the units it names.

    Convoys by several fleets, and moves that may need one, depend on all fleets at sea.
    """
    if isinstance(order, Move):
        return not (order.via_convoy or order.path) and _goes_alone(order.unit, order.to, board)
    if isinstance(order, Support):
        return order.to is None or _goes_alone(order.supported, order.to, board)
    if isinstance(order, Convoy):
        return bool(_ferries(order.army, order.to, board) >> order.unit.at & 1)
    return isinstance(order, Hold)


def _goes_alone(unit: Unit, to: Location, board: Board) -> bool:
    """Tell whether the unit needs no convoy to get there, or could not use one."""
    return unit.kind != "A" or bool(board.army_reach[unit.location.index] >> to.province.index & 1)


@dataclass(slots=True)
class Remembered(Line):
    """A line with one order, and the conditions under which it says the same again."""

    local: bool = False
    """It depends on nothing but the units in two provinces."""
    site: int = NOWHERE
    """The ordered unit's province."""
    unit: Unit | None = None
    """What must stand there."""
    other_site: int = NOWHERE
    """The province of the unit that it helps, or the first one again."""
    other: Unit | None = None
    answer: Answer | None = None
    """What we tell the player, if that is more than the order."""
    before: Remembered | None = None
    """What the line said when other units stood there, perhaps of another power."""


Memory = dict[str | Order, Remembered]
"""The answers to one power's lines under one rulebook.

An order given as a value may be looked up as well, but is never kept.
"""


class AnswerMemory:
    """The answers to lines in one variant, per rulebook and power."""

    def __init__(self) -> None:
        self._memories: dict[Rulebook, dict[str, Memory]] = {}
        self._last: tuple[Rulebook, dict[str, Memory]] | None = None
        self._count = 0

    def of(self, rules: Rulebook) -> dict[str, Memory]:
        """Return what is remembered of each power's orders."""
        last = self._last
        # A rulebook has many fields to hash, and most phases have the same one as the phase before.
        if last is None or last[0] is not rules:
            if len(self._memories) >= _MOST_RULEBOOKS:
                self.forget()
            last = self._last = (rules, self._memories.setdefault(rules, {}))
        return last[1]

    def keep(self, memory: Memory, line: str, known: Remembered, before: Remembered | None) -> None:
        """Keep the answer to a line, if it lasts, in one of the memories that `of` returned.

        `before` is what that memory has of the line.
        """
        lasts = (known.illegal is None or known.local) and known.site != NOWHERE
        if lasts and len(line) <= LONGEST_REMEMBERED:
            if self._count >= _MOST_ANSWERS:
                self.forget()
            self._count += 1
            if before is not None:
                known.before = before
                _shorten(before)
            memory[line] = known

    def forget(self) -> None:
        """Forget everything; anybody who is reading goes on with the memory they have."""
        self._memories, self._last, self._count = {}, None, 0


def _shorten(known: Remembered) -> None:
    """Forget the oldest answers to a line, if there are too many."""
    at: Remembered | None = known
    for _ in range(_MOST_OF_A_LINE - 2):
        at = at and at.before
    if at is not None:
        at.before = None
