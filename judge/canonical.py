"""The notation that the judge prints itself, read back without the grammar: the first short way.

`judge.shortcuts` says what it saves, and has the other short ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sys import intern
from typing import TYPE_CHECKING, Any

from judge.board import Board, bits
from judge.convoys import has_route, is_useful
from judge.orders import Convoy, Hold, Move, Order, Support
from judge.places import Location, UnitKind
from judge.shortcuts import NOWHERE, Canonical, UnitAt, fleets_between
from judge.units import Unit

if TYPE_CHECKING:
    from judge.layout import Layout

_HOLDS, _VIA = " Holds", " via Convoy"
_KINDS: tuple[UnitKind, ...] = ("A", "F")


class CanonicalReader:
    """Reads the notation that the judge prints itself, on one map, without the grammar.

    A line is split at its order words, and what is left must be printed names: of places, and of
    units on the board. The long way returns the same order and nothing to note.
    """

    def __init__(self, board: Board, by_one_fleet: bool = False) -> None:
        self._board = board
        self._by_one_fleet = by_one_fleet
        """A convoy of several fleets is left to the long way."""
        self._places = {place.name: place for place in board.locations}
        self._sites: dict[str, tuple[str, int, int]] = {}
        """Per printed unit: its name, its province, and those that it can support into as a
        mask."""
        self._orders: dict[str, tuple[str, int, Location | None]] = {}
        """Per printed hold, and move of one step: the unit, its province, and where it goes."""
        self._crossings: dict[str, tuple[str, int, Location, int]] = {}
        """Per printed move for which one fleet may be enough: the army, its province, where it
        goes, and in which provinces that fleet can be, as a mask."""
        for kind in _KINDS:
            for place in board.locations:
                if board.can_stand(kind, place):
                    self._enter(kind, place)

    def _enter(self, kind: UnitKind, place: Location) -> None:
        """Enter what a unit that stands there can do by itself."""
        name, at = intern(f"{kind} {place.name}"), place.at
        self._sites[name] = name, at, self._board.support_reaches[kind][place.index]
        self._orders[name + _HOLDS] = name, at, None
        for to in self._board.steps(kind, place):
            self._orders[f"{name} - {to.name}"] = name, at, to
        for end in self._over_one_sea(at) if kind == "A" else ():
            to, fleets = self._board.locations[end], fleets_between(at, end, self._board)
            self._crossings[f"{name} - {to.name}"] = name, at, to, fleets

    def _over_one_sea(self, start: int) -> Iterator[int]:
        """Yield the provinces to which a single fleet can convoy an army from that one."""
        board, ends = self._board, 0
        for water in bits(board.shores[start] & board.convoyable):
            ends |= board.shores[water]
        return (end for end in bits(ends) if fleets_between(start, end, board))

    def plain(
        self, lines: Sequence[Any], layout: Layout, power: str
    ) -> tuple[list[Order | None], list[int]]:
        """Return the order of each line that is in our notation and plainly legal, None for any
        other; and the indices of those others. A line that is not a text is one of them.

        Nearly all lines in our notation are plain: holds, steps, supports of either, and convoys.
        They are not remembered, since reading one takes no longer than finding it in a large memory
        (2026-11).
        """
        orders: list[Order | None] = []
        others: list[int] = []
        known, unit_at = self._orders.get, layout.unit_at
        for line in lines:
            order: Order | None = None
            try:
                found = known(line)
            except TypeError:
                found = None  # It is something like a list, which no table can have.
            if found is None:
                order = self._plain_help(line, layout, power)
            else:
                name, at, to = found
                unit = unit_at[at]
                # Both names are interned, so they are the same object if they are equal.
                if unit is not None and unit.name is name and unit.power == power:
                    order = Hold(unit, line) if to is None else Move(unit, to, False, (), line)
            if order is None:
                others.append(len(orders))
            orders.append(order)
        return orders, others

    def _plain_help(self, line: Any, layout: Layout, power: str) -> Canonical | None:
        """Return the support of a hold, of a step or of a crossing, or what `_plain_crossing`
        returns."""
        if type(line) is not str:
            return None
        unit_at = layout.unit_at
        head, sign, tail = line.partition(" Supports ")
        if not sign:
            return self._plain_crossing(line, layout, power)
        helper = self._sites.get(head)
        if helper is None:
            return None
        name, site, reach = helper
        unit, to = unit_at[site], None
        if unit is None or unit.name is not name or unit.power != power:
            return None
        if stays := self._sites.get(tail):
            other_name, at, into = stays[0], stays[1], stays[1]
        else:
            goes = self._orders.get(tail) or self._ferried(tail, layout, site)
            if goes is None:
                return None
            other_name, at, to = goes
            if to is None:
                return None
            into = to.at
        other = unit_at[at]
        if not reach >> into & 1 or other is None or unit is other or other.name is not other_name:
            return None
        return Support(unit, other, to, line)

    def _ferried(self, move: str, layout: Layout, helper: int) -> tuple[str, int, Location] | None:
        """Return the army of a printed crossing, its province and where it goes, if one of the
        fleets at sea can carry it. A fleet that supports it cannot (6.D.31)."""
        crossing = self._crossings.get(move)
        if crossing is None:
            return None
        name, at, to, ferries = crossing
        free = layout.fleets_at_sea & ~self._board.bit[helper]
        return (name, at, to) if ferries & free else None

    def _plain_crossing(self, line: str, layout: Layout, power: str) -> Canonical | None:
        """Return a convoy, or a convoyed move, that the fleets at sea make possible."""
        unit_at = layout.unit_at
        head, sign, tail = line.partition(" Convoys ")
        move = tail if sign else line.removesuffix(_VIA)
        crossing = self._crossings.get(move)
        if crossing is None:
            crossing = self._crossing(move, unit_at)
            if crossing is None:
                return None
        name, at, to, ferries = crossing
        army, fleets = unit_at[at], layout.fleets_at_sea
        if army is None or army.name != name:
            return None
        if not sign:
            if army.power != power or not (fleets & ferries or self._are_enough(fleets, at, to)):
                return None
            return Move(army, to, line.endswith(_VIA), (), line)
        unit = self._unit(head, unit_at)
        if unit is None or unit.power != power:
            return None
        here = fleets & self._board.bit[unit.at]
        if here & ferries or (here and self._are_enough(fleets, at, to, unit.at)):
            return Convoy(unit, army, to, line)
        return None

    def _crossing(self, move: str, unit_at: UnitAt) -> tuple[str, int, Location, int] | None:
        """Return what the table of crossings has, for a printed move of an army that needs more
        than one fleet."""
        start, _, end = move.partition(" - ")
        army, to, coastal = self._unit(start, unit_at), self._places.get(end), self._board.coastal
        if army is None or to is None or army.kind != "A" or to.coast or army.at == to.at:
            return None
        both = coastal >> army.at & coastal >> to.at & 1
        return (start, army.at, to, 0) if both else None

    def _are_enough(self, fleets: int, start: int, to: Location, fleet: int = NOWHERE) -> bool:
        """Tell whether several fleets make a route, and one of them lies on it."""
        if self._by_one_fleet:
            return False
        if fleet == NOWHERE:
            return has_route(self._board, start, to.at, fleets)
        return is_useful(self._board, start, to.at, fleets, fleet)

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
