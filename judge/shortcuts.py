"""The short ways past the grammar and the rules of legality, and what each of them saves.

Nearly every order is plain: it is written as the judge itself prints it, or this process has read
it before, and its unit stands just as it says. Each short way leaves everything else to the long
way and gives the same answer; tests hold the two against each other. They are here and nowhere
else, so that whoever changes a rule of reading or of legality looks through this module, too.

What the judge loses in phases per second without each of them, from text to the next state (150
phases of 31 units, best of 5 rounds, 2026-11): for lines in our own notation that are new to the
process, for such that it has read before, for other lines that it has read before ("F Nth C A Lon -
Nwy"), and for orders given as values:

    canonical notation (`CanonicalReader`)  84 %    0 %    0 %    0 %
    literal orders (`literal_order`)         0 %    0 %    5 %    0 %
    remembered answers (`AnswerMemory`)      1 %    2 %   39 %    0 %
    plain legality (`is_plain`)              4 %    0 %    2 %   19 %
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING, cast

from judge.board import Board
from judge.legality.lines import Line
from judge.orders import Convoy, Hold, Move, Order, Support
from judge.places import Location, UnitKind
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

# 1. What the judge itself prints, read back without the grammar.

_HOLDS, _VIA = " Holds", " via Convoy"
_KINDS: tuple[UnitKind, ...] = ("A", "F")

Canonical = Hold | Move | Support | Convoy


class CanonicalReader:
    """Reads the notation that the judge prints itself, on one map, without the grammar.

    A line is split at its order words, and what is left must be printed names: of places, and of
    units on the board. The long way returns the same order and nothing to note.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._places = {place.name: place for place in board.locations}
        self._sites: dict[str, tuple[str, int, int]] = {}
        """Per printed unit: its name, its province, and those that it can support into as a
        mask."""
        self._orders: dict[str | Order, tuple[str, int, Location | None]] = {}
        """Per printed hold, and move of one step: the unit, its province, and where it goes."""
        self._helped: dict[str, tuple[str, int, Location | None, int]] = {}
        """Per such order as a support prints it: the same, and the province that it is about."""
        for kind in _KINDS:
            for place in board.locations:
                if board.can_stand(kind, place):
                    self._enter(kind, place)

    def _enter(self, kind: UnitKind, place: Location) -> None:
        """Enter what a unit that stands there can do by itself."""
        name, at = intern(f"{kind} {place.name}"), place.at
        self._sites[name] = name, at, self._board.support_reaches[kind][place.index]
        self._orders[name + _HOLDS] = name, at, None
        self._helped[name] = name, at, None, at
        for to in self._board.steps(kind, place):
            move = f"{name} - {to.name}"
            self._orders[move] = name, at, to
            self._helped[move] = name, at, to, to.at

    def plain(
        self, lines: Sequence[str | Order], unit_at: UnitAt, power: str
    ) -> tuple[list[Order | None], list[int]]:
        """Return the orders of lines that are printed to the letter, and legal as long as their
        units stand there; and the indices of the other lines, which have None instead.

        To read such a line takes no longer than to find in a large memory what it said before, so
        they are not remembered (2026-11). Nine of ten lines in our notation are like that: holds,
        steps, and supports of either.
        """
        orders: list[Order | None] = []
        others: list[int] = []
        known = self._orders.get
        for line in lines:
            found = known(line)
            order: Order | None = None
            if found is None:
                order = self._plain_support(line, unit_at, power)
            else:
                name, at, to = found
                unit = unit_at[at]
                if unit is not None and unit.name == name and unit.power == power:
                    text = cast(str, line)
                    order = Hold(unit, text) if to is None else Move(unit, to, False, (), text)
            if order is None:
                others.append(len(orders))
            orders.append(order)
        return orders, others

    def _plain_support(self, line: str | Order, unit_at: UnitAt, power: str) -> Support | None:
        if type(line) is not str:
            return None
        head, _, tail = line.partition(" Supports ")
        helper, helped = self._sites.get(head), self._helped.get(tail)
        if helper is None or helped is None:
            return None
        name, site, reach = helper
        other_name, at, to, into = helped
        unit, other = unit_at[site], unit_at[at]
        if not reach >> into & 1 or unit is None or other is None or unit is other:
            return None
        if unit.name != name or unit.power != power or other.name != other_name:
            return None
        return Support(unit, other, to, line)

    def _unit(self, name: str, unit_at: UnitAt) -> Unit | None:
        """Return the unit on the board that is printed like that."""
        site = self._sites.get(name)
        unit = unit_at[site[1]] if site else None
        return unit if unit and unit.name == name else None

    def order(self, line: str, unit_at: UnitAt) -> Canonical | None:
        """Return the order, legal or not; None for any line that is not printed to the letter."""
        head, sign, tail = line.partition(" Supports ")
        if sign:
            return self._support(line, self._unit(head, unit_at), tail, unit_at)
        head, sign, tail = line.partition(" - ")
        if not sign:
            unit = self._unit(line.removesuffix(_HOLDS), unit_at)
            return Hold(unit, line) if unit and line.endswith(_HOLDS) else None
        unit = self._unit(head, unit_at)
        if unit is None:
            return self._convoy(line, head, tail, unit_at)
        return self._move(line, unit, tail)

    def _move(self, line: str, unit: Unit, tail: str) -> Canonical | None:
        to = self._places.get(tail)
        if to is not None:
            if unit.kind == "A":
                # Passing a name, `printed=`, costs Python 600 instructions.
                return Move(unit, to, False, (), line) if to.coast is None else None
            # A fleet may leave its coast out, or name one that it cannot reach.
            goals = self._board.goals["F"][unit.location.index]
            sure = not to.province.coasts or to.index in goals
            return Move(unit, to, False, (), line) if sure else None
        to = self._places.get(tail.removesuffix(_VIA))
        if to is None or unit.kind == "F" or to.coast:
            return None
        return Move(unit, to, True, (), line)

    def _support(
        self, line: str, unit: Unit | None, tail: str, unit_at: UnitAt
    ) -> Canonical | None:
        supported, sign, end = tail.partition(" - ")
        other = self._unit(supported, unit_at)
        if unit is None or other is None:
            return None
        if not sign:
            return Support(unit, other, None, line)
        to = self._places.get(end)
        if to is None or (to.coast and other.kind == "A"):
            return None
        return Support(unit, other, to, line)

    def _convoy(self, line: str, head: str, end: str, unit_at: UnitAt) -> Canonical | None:
        start, _, carried = head.partition(" Convoys ")
        unit, army = self._unit(start, unit_at), self._unit(carried, unit_at)
        to = self._places.get(end)
        if unit is None or army is None or to is None or to.coast:
            return None
        return Convoy(unit, army, to, line)


# 2. A written order that means what it says to the letter.


def literal_order(
    written: Written, provinces: Sequence[int], unit_at: UnitAt, board: Board, rules: Rulebook
) -> Canonical | None:
    """Return the order as it says to the letter, legal or not.

    None if it leaves something out, or differs from the board, so that it may mean something else.
    `provinces` are those of its places. The long way returns the same order and nothing to note.
    """
    own, other, to, action = written.unit, written.aided, written.to, written.action
    if own is None or written.nation or (to is not None and (to.coast or to.through)):
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
    start, end = army.at, to.province.index
    both = board.coastal >> start & board.coastal >> end & 1
    if army.kind != "A" or not both or start == end or to.coast:
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
    """Forget what lines said longest ago, if there is too much to remember."""
    at: Remembered | None = known
    for _ in range(_MOST_OF_A_LINE - 2):
        at = at and at.before
    if at is not None:
        at.before = None
