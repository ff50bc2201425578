"""The short ways past the grammar and the rules of legality, and what each of them saves.

Nearly every order is plain: written as the judge itself prints it, for a unit that stands just so,
and one that this process has read before. Each short way leaves everything else to the long way
and gives the same answer; tests hold the two against each other. They are here and nowhere else, so
that whoever changes a rule of reading or of legality looks through this module, too.

What the judge loses in phases per second without each of them, from text to the next state (150
phases of 30 units, best of 12 rounds, 2026-11), for lines that are new to the process, for lines it
has read before, and for orders given as values:

    canonical notation (`FastParser`)      66 %   15 %    0 %
    literal orders (`literal_order`)       13 %   10 %    0 %
    remembered answers (`AnswerMemory`)     9 %   30 %    0 %
    plain legality (`is_plain`)             9 %    7 %   24 %
    the last three together                30 %   48 %   18 %
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge.board import Board, Location
from judge.orders import Convoy, Hold, Move, Order, Support
from judge.rulebook import Rulebook
from judge.text.names import Gazetteer
from judge.text.written import Place, UnitLetter, Written, WrittenUnit
from judge.units import Unit

if TYPE_CHECKING:
    from judge.text.answers import Answer

UnitAt = Sequence[Unit | None]
"""The unit in each province, by its index."""

LONGEST_REMEMBERED = 120
"""Letters of a line that is remembered."""

_MOST_RULEBOOKS = 64
_MOST_ANSWERS = 100_000
"""Answers that are remembered before all is forgotten; each takes some 400 bytes."""

# 1. What the judge prints itself, read back without the grammar.

_LETTERS: tuple[UnitLetter, ...] = ("A", "F")
_HOLDS, _VIA = " Holds", " via Convoy"


class FastParser:
    """Knows every place of one map, and every unit that may stand there, by its printed name."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._places: dict[str, Place] = {}
        for index, province in enumerate(gazetteer.provinces):
            self._places[province.name] = Place(province.name, (index,))
            for coast in province.coasts:
                text = f"{province.name}({coast})"
                self._places[text] = Place(province.name, (index,), coast)
        self._units = {
            f"{letter} {text}": WrittenUnit(letter, place)
            for letter in _LETTERS
            for text, place in self._places.items()
        }

    def read(self, line: str) -> Written | None:
        """Return what a line in canonical notation says, None for any other line."""
        if line.endswith(_HOLDS):
            unit = self._units.get(line.removesuffix(_HOLDS))
            return Written("hold", unit) if unit else None
        head, sign, tail = line.partition(" Supports ")
        if sign:
            return self._support(head, tail)
        head, sign, tail = line.partition(" Convoys ")
        if sign:
            return self._convoy(head, tail)
        head, sign, tail = line.partition(" - ")
        return self._move(head, tail) if sign else None

    def _support(self, head: str, tail: str) -> Written | None:
        supported, sign, end = tail.partition(" - ")
        units = self._units
        unit, aided, to = units.get(head), units.get(supported), self._places.get(end)
        if unit is None or aided is None or (sign and to is None):
            return None
        return Written("support", unit, aided, to)

    def _convoy(self, head: str, tail: str) -> Written | None:
        start, _, end = tail.partition(" - ")
        units = self._units
        unit, army, to = units.get(head), units.get(start), self._places.get(end)
        if unit is None or army is None or to is None:
            return None
        return Written("convoy", unit, army, to)

    def _move(self, head: str, tail: str) -> Written | None:
        unit, to = self._units.get(head), self._places.get(tail.removesuffix(_VIA))
        if unit is None or to is None:
            return None
        return Written("move", unit, to=to, by_convoy=tail.endswith(_VIA))


# 2. A written order that is meant to the letter.


def literal_order(
    written: Written, provinces: Sequence[int], unit_at: UnitAt, board: Board, rules: Rulebook
) -> Order | None:
    """Return what the order says to the letter, legal or not; None where something is left out or
    put otherwise than it is on the board, so that it may not be what is meant.

    `provinces` are those of its places. The long way returns the same order and nothing to note.
    """
    own, other, to, action = written.unit, written.aided, written.to, written.action
    if own is None or written.nation or (to is not None and (to.coast or to.through)):
        return None
    unit = standing(own, unit_at[provinces[0]])
    if unit is None:
        return None
    end = None if to is None else board.locations[provinces[-1]]
    if other is not None:
        supported = standing(other, unit_at[provinces[1]])
        if supported is None or rules.missing_nationality != "b" or rules.wrong_nationality != "b":
            return None
        if action == "support":
            return Support(unit, supported, end)
        return None if end is None else Convoy(unit, supported, end)
    if action == "move" and end is not None:
        # A fleet may lack its coast, and is never convoyed.
        sure = unit.kind == "A" or not (end.province.coasts or written.by_convoy)
        return Move(unit, end, written.by_convoy) if sure else None
    return Hold(unit) if action == "hold" else None


def standing(written: WrittenUnit, unit: Unit | None) -> Unit | None:
    """Return the unit of a province if it stands there just as it was written."""
    if unit is None or written.kind != unit.kind:
        return None
    coast = written.place.coast
    return unit if coast is None or coast == unit.location.coast else None


# 3. Legality that one look at the units concerned shows.


def is_plain(order: Order, unit_at: UnitAt, board: Board, power: str) -> bool:
    """Tell whether a look at the units concerned shows that the order is legal, as nearly all are.

    An own unit, just as it stands there, holds, takes a step, or supports what another unit there
    can do by itself. No rule makes that illegal; an order that is not plain may be legal too.
    """
    # Positions share their units (`Variant.unit`), so "is" finds a unit that stands there; one that
    # is merely equal goes the long way. `goals` and `support_reaches` are masks: bit n is place n.
    if type(order) is Move:
        unit, to = order.unit, order.to
        if unit_at[unit.at] is not unit or unit.power != power:
            return False
        step = board.goals[unit.kind][unit.location.index] >> to.index & 1
        return bool(step and not order.via_convoy and not order.path)
    if type(order) is Support:
        return _is_plain_support(order, unit_at, board, power)
    if type(order) is Hold:
        return unit_at[order.unit.at] is order.unit and order.unit.power == power
    return False


def _is_plain_support(order: Support, unit_at: UnitAt, board: Board, power: str) -> bool:
    unit, other, to = order.unit, order.supported, order.to
    if unit_at[unit.at] is not unit or unit.power != power:
        return False
    if other is unit or unit_at[other.at] is not other:
        return False
    reach = board.support_reaches[unit.kind][unit.location.index]
    if to is None:
        return bool(reach >> other.at & 1)
    steps = board.goals[other.kind][other.location.index] >> to.index
    return bool(reach >> to.province.index & steps & 1)


# 4. Answers that hang on nothing but the units an order names.


def is_local(order: Order | None, board: Board) -> bool:
    """Tell whether the order's legality hangs on nothing but the units it names.

    Convoys and moves that may need one hang on all fleets at sea.
    """
    if isinstance(order, Move):
        return not (order.via_convoy or order.path) and _goes_alone(order.unit, order.to, board)
    if isinstance(order, Support):
        return order.to is None or _goes_alone(order.supported, order.to, board)
    return isinstance(order, Hold)


def _goes_alone(unit: Unit, to: Location, board: Board) -> bool:
    """Tell whether the unit needs no convoy to get there, or could not use one."""
    return unit.kind != "A" or bool(board.army_reach[unit.location.index] >> to.province.index & 1)


class Remembered(NamedTuple):
    """The last answer to a line with one order, and when it is good again."""

    answer: Answer
    local: bool
    """It hangs on nothing but the units in two provinces."""
    site: int
    """The ordered unit's province."""
    unit: Unit | None
    """What must stand there."""
    other_site: int
    """The aided unit's province, the first again without one."""
    other: Unit | None


Memory = dict[str, Remembered]
"""What one power's lines were answered under one rulebook."""


class AnswerMemory:
    """The answers to the lines of one variant, per rulebook and power."""

    def __init__(self) -> None:
        self._memories: dict[Rulebook, dict[str, Memory]] = {}
        self._last: tuple[Rulebook, dict[str, Memory]] | None = None
        self._count = 0

    def of(self, power: str, rules: Rulebook) -> Memory:
        """Return what is remembered of the power's orders."""
        last = self._last
        # A rulebook has many fields to hash, and most phases have the one of the phase before.
        if last is None or last[0] is not rules:
            if len(self._memories) >= _MOST_RULEBOOKS:
                self.forget()
            last = self._last = (rules, self._memories.setdefault(rules, {}))
        memory = last[1].get(power)
        return last[1].setdefault(power, {}) if memory is None else memory

    def keep(self, memory: Memory, line: str, known: Remembered) -> None:
        """Keep the answer to a line in a memory that `of` returned."""
        if len(line) <= LONGEST_REMEMBERED:
            if self._count >= _MOST_ANSWERS:
                self.forget()
            self._count += 1
            memory[line] = known

    def forget(self) -> None:
        """Forget all; whoever is reading goes on with the memory they have."""
        self._memories, self._last, self._count = {}, None, 0
