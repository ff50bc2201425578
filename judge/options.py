"""Every order a player may give: what a form or a program offers to choose from.

Listed is what is legal by `judge.legality` and makes sense to offer: no support that leaves out a
fleet's coast (4.B.4), no superfluous convoy (4.E.1), "via convoy" only where it makes a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.board import Location, bits
from judge.convoys import is_useful, reachable
from judge.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.position import Position
from judge.units import Unit


def legal_orders(position: Position) -> Mapping[str, Mapping[Unit | None, tuple[Order, ...]]]:
    """Return the legal orders of the phase: per power, per unit that can be ordered.

    Builds and waives, which no unit carries out, are under None. Powers without a decision to make
    are left out.
    """
    options = _Options(position)
    return {power: dict(options.of_power(power)) for power in position.powers_to_order()}


class _Options:
    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.variant.board
        self.fleets = position.fleets_at_sea

    def of_power(self, power: str) -> Iterator[tuple[Unit | None, tuple[Order, ...]]]:
        step = self.position.phase.step
        if step == "M":
            for unit in self.position.units_of(power):
                yield unit, tuple(self.movement(unit))
        elif step == "R":
            for one in self.position.dislodged_of(power):
                retreats = (Retreat(one.unit, place) for place in one.retreats)
                yield one.unit, (*retreats, Disband(one.unit))
        elif self.position.adjustment(power) < 0:
            for unit in self.position.units_of(power):
                yield unit, (Disband(unit),)
        else:
            yield None, (*self.builds(power), Waive(power))

    def builds(self, power: str) -> Iterator[Build]:
        for site in self.position.build_sites(power):
            yield Build(power, "A", self.board.location(site))
            for place in self.board.fleet_places(site):
                yield Build(power, "F", place)

    def movement(self, unit: Unit) -> Iterator[Order]:
        yield Hold(unit)
        yield from self.moves(unit)
        for supported in self.position.units:
            if supported is not unit:
                yield from self.supports(unit, supported)
        if self.fleets >> unit.at & 1:
            yield from self.convoys(unit)

    def moves(self, unit: Unit) -> Iterator[Move]:
        steps = self.board.steps("A" if unit.kind == "A" else "F", unit.location)
        for place in steps:
            yield Move(unit, place)
        adjacent = {place.province.index for place in steps}
        for end in bits(self.landings(unit, self.fleets)):
            yield Move(unit, self.board.locations[end], via_convoy=end in adjacent)

    def landings(self, unit: Unit, fleets: int) -> int:
        """Return the provinces to which these fleets could convoy the unit, as a mask."""
        start = unit.location.province
        if unit.kind != "A" or start.kind != "coast":
            return 0
        return reachable(self.board, start.index, fleets) & self.board.coastal & ~(1 << start.index)

    def supports(self, unit: Unit, supported: Unit) -> Iterator[Support]:
        here = 1 << unit.at
        reach = self.board.reach("A" if unit.kind == "A" else "F", unit.location)
        if reach >> supported.at & 1:
            yield Support(unit, supported)
        reach &= ~here & ~(1 << supported.at)
        for place in self.destinations(supported, self.fleets & ~here):
            if reach >> place.province.index & 1:
                yield Support(unit, supported, place)

    def destinations(self, unit: Unit, fleets: int) -> Iterator[Location]:
        """Yield each place the unit could get to, by itself or convoyed by these fleets."""
        steps = self.board.steps("A" if unit.kind == "A" else "F", unit.location)
        yield from steps
        adjacent = {place.province.index for place in steps}
        for end in bits(self.landings(unit, fleets)):
            if end not in adjacent:
                yield self.board.locations[end]

    def convoys(self, fleet: Unit) -> Iterator[Convoy]:
        here = fleet.at
        for army in self.position.units:
            for end in bits(self.landings(army, self.fleets)):
                start = army.at
                if is_useful(self.board, start, end, self.fleets, here):
                    yield Convoy(fleet, army, self.board.locations[end])
