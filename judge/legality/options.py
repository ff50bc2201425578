"""Every order that a player may give, for a form or a program to choose from.

It lists what is legal (`judge.legality.check`) and makes sense to offer: no support that leaves out
a fleet's coast (4.B.4), unless the rules disregard it, no superfluous convoy (4.E.1), and "via
convoy" only where it matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.board import bits
from judge.convoys import has_route, is_useful, reachable, roundabout_fleets
from judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    Ride,
    Support,
    Waive,
)
from judge.places import Location
from judge.position import Position, refuse_no_position
from judge.rulebook import DATC, Rulebook, refuse_no_rulebook
from judge.units import Unit


def legal_orders(
    position: Position, rules: Rulebook = DATC, *, only: str = ""
) -> Mapping[str, Mapping[Unit | None, tuple[Order, ...]]]:
    """Return the legal orders of the phase: per power, per unit that can be ordered.

    Builds, waives and permissions are under None, since no unit carries them out. Powers with
    nothing to decide are left out. Every order names all it needs, so only three rules matter:
    whether a build may be declined (4.D.7), which convoys are superfluous (4.E.1), and whether the
    coast in a support is disregarded (4.B.4). Whatever else 4.B and 4.C let a player leave out or
    get wrong leads to an order that is listed, or to none. With `only`, a power's name, no other
    power is listed. Raises UnknownRule for anything but a rulebook, PositionError for anything but
    a position, UnknownName for an unknown power.
    """
    refuse_no_rulebook(rules)
    refuse_no_position(position)
    only = only and position.variant.power(only).name
    options = _Options(position, rules)
    powers = [one for one in position.powers_to_order() if only in ("", one)]
    return {power: dict(options.of_power(power)) for power in powers}


class _Options:
    def __init__(self, position: Position, rules: Rulebook) -> None:
        self.position = position
        self.rules = rules
        self.board = position.variant.board
        self.fleets = position.fleets_at_sea
        self._landings: dict[tuple[int, int], int] = {}
        self._destinations: dict[tuple[int, int], tuple[int, tuple[Location, ...]]] = {}

    def of_power(self, power: str) -> Iterator[tuple[Unit | None, tuple[Order, ...]]]:
        step = self.position.phase.step
        if step == "M":
            for unit in self.position.units_of(power):
                yield unit, tuple(self.movement(unit))
            rules = self.position.variant.own_rules
            permits = [one for rule in rules for one in rule.permissions_of(power, self.position)]
            if permits:
                yield None, tuple(permits)
        elif step == "R":
            for one in self.position.dislodged_of(power):
                retreats = (Retreat(one.unit, place) for place in one.retreats)
                yield one.unit, (*retreats, Disband(one.unit))
        elif self.position.adjustment(power) < 0:
            for unit in self.position.units_of(power):
                yield unit, (Disband(unit),)
        else:
            waives = () if self.rules.declined_builds == "b" else (Waive(power),)
            yield None, (*self.builds(power), *waives)

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
        yield from self.of_own_rules(unit)

    def of_own_rules(self, unit: Unit) -> Iterator[MovementOrder]:
        """Yield the orders that rules of the variant add."""
        for rule in self.position.variant.own_rules:
            yield from rule.orders_of(unit, self.position)

    def moves(self, unit: Unit) -> Iterator[Move]:
        steps = self.board.steps(unit.kind, unit.location)
        for place in steps:
            yield Move(unit, place)
        adjacent = {place.province.index for place in steps}
        for end in bits(self.landings(unit, self.fleets)):
            yield Move(unit, self.board.locations[end], via_convoy=end in adjacent)

    def landings(self, unit: Unit, fleets: int) -> int:
        """Return the provinces to which these fleets could convoy the unit, as a mask."""
        key = unit.at, fleets
        if key not in self._landings:
            self._landings[key] = self._landings_of(unit, fleets)
        return self._landings[key]

    def _landings_of(self, unit: Unit, fleets: int) -> int:
        start = unit.location.province
        if unit.kind != "A" or start.kind != "coast":
            return 0
        board = self.board
        landings = reachable(board, start.index, fleets) & board.coastal & ~(1 << start.index)
        for end in bits(landings & fleets):
            # It may have been reached only by the power's own fleet, on a coast that convoys.
            if not has_route(board, start.index, end, fleets):
                landings ^= 1 << end
        return landings

    def supports(self, unit: Unit, supported: Unit) -> Iterator[Support]:
        here = 1 << unit.at
        reach = self.board.support_reaches[unit.kind][unit.location.index]
        if reach >> supported.at & 1:
            yield Support(unit, supported)
        reach &= ~here & ~(1 << supported.at)
        provinces, places = self.destinations(supported, self.fleets & ~here)
        if self.rules.support_coast == "DPTG":
            plain = (self.board.location(place.province) for place in places)
            places = tuple(dict.fromkeys(plain))
        if reach & provinces:
            for place in places:
                if reach >> place.at & 1:
                    yield Support(unit, supported, place)

    def destinations(self, unit: Unit, fleets: int) -> tuple[int, tuple[Location, ...]]:
        """Return each place the unit could get to, by itself or convoyed by these fleets, and
        before them their provinces as a mask.

        Every unit that may support it asks, and most see the same fleets.
        """
        key = unit.at, fleets
        if key not in self._destinations:
            places = tuple(self._destinations_of(unit, fleets))
            provinces = 0
            for place in places:
                provinces |= 1 << place.at
            self._destinations[key] = provinces, places
        return self._destinations[key]

    def _destinations_of(self, unit: Unit, fleets: int) -> Iterator[Location]:
        steps = self.board.steps(unit.kind, unit.location)
        yield from steps
        adjacent = {place.province.index for place in steps}
        for end in bits(self.landings(unit, fleets)):
            if end not in adjacent:
                yield self.board.locations[end]
                adjacent.add(end)
        for order in self.of_own_rules(unit):
            # A move over the border to a neighbour, by rail, is supported like any other move
            # there.
            if isinstance(order, Move | Ride) and order.to.province.index not in adjacent:
                yield order.to

    def convoys(self, fleet: Unit) -> Iterator[Convoy]:
        here = fleet.at
        for army in self.position.units:
            for end in bits(self.landings(army, self.fleets)):
                if self.can_convoy(here, army.at, end):
                    yield Convoy(fleet, army, self.board.locations[end])

    def can_convoy(self, fleet: int, start: int, end: int) -> bool:
        """Tell whether the fleet can help an army on this way."""
        if self.rules.illegal_orders == "DPTG":
            return bool(roundabout_fleets(self.board, start, end, self.fleets) >> fleet & 1)
        return is_useful(self.board, start, end, self.fleets, fleet)
