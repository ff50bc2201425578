"""Random games in which nearly every order touches another one.

Uniformly random orders hardly ever meet: a support that matches nothing and a convoy without an
army say little about an adjudicator. So we lay convoys first, then moves that crowd into the same
provinces, then supports for these orders, with a little nonsense on top.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from judge import Location, Position, Province, Unit, Variant
from judge.board import bits
from judge.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.units import Dislodged

Orders = dict[str, list[Order]]

CONVOYED = 0.3  # of the armies on a coast beside a fleet
MOVING = 0.5  # of the units that no convoy needs
SUPPORTING = 0.9  # of the rest; the others hold
NONSENSE = 0.04  # of the supports and convoys, turned towards somewhere else


def random_orders(position: Position, rng: Random, convoyed: float = CONVOYED) -> Orders:
    """Return orders of all powers for the phase of ``position``, nearly all of them legal."""
    if position.phase.step == "M":
        return _Plan(position, rng, convoyed).orders()
    if position.phase.step == "R":
        return by_power(position.variant, retreats(position, rng))
    return by_power(position.variant, adjustments(position, rng))


class _Plan:
    """The orders of one movement phase while we make them up."""

    def __init__(self, position: Position, rng: Random, convoyed: float) -> None:
        self.position, self.rng, self.convoyed = position, rng, convoyed
        self.board = position.variant.board
        self.ordered: dict[Unit, Order] = {}
        self.target: dict[Unit, Location] = {}
        self.occupied = {unit.location.province for unit in position.units}

    def orders(self) -> Orders:
        units = list(self.position.units)
        self.rng.shuffle(units)
        for unit in units:
            if unit.kind == "A" and unit not in self.ordered and self.rng.random() < self.convoyed:
                self.lay_convoy(unit)
        for unit in units:
            if unit not in self.ordered and self.rng.random() < MOVING:
                self.move(unit)
        for unit in units:
            if unit not in self.ordered:
                self.stay(unit)
        owned = ((unit.power, self.ordered[unit]) for unit in self.position.units)
        return by_power(self.position.variant, owned)

    def lay_convoy(self, army: Unit) -> None:
        """Walk from fleet to fleet over the sea, land somewhere, and order all of them."""
        fleets, landings = self.sea_walk(army.location.province)
        if not landings:
            return
        shore = self.rng.choice(landings)
        beside = bool(self.board.arrivals("A", army.location, shore.province))
        self.send(army, Move(army, shore, via_convoy=beside))
        for fleet in fleets:
            if self.rng.random() < 0.95:
                goal = shore if self.rng.random() >= NONSENSE else self.rng.choice(landings)
                self.ordered[fleet] = Convoy(fleet, army, goal)

    def sea_walk(self, start: Province) -> tuple[list[Unit], list[Location]]:
        """Return fleets that have no order yet, one beside the next, and the shores within their
        reach."""
        walk: list[Unit] = []
        shores = 0
        beside = self.board.shores[start.index] & self.board.convoyable
        while beside and (not walk or self.rng.random() < 0.7):
            fleets = [f for f in self.fleets_in(beside) if f not in walk and f not in self.ordered]
            if not fleets:
                break
            walk.append(self.rng.choice(fleets))
            shores |= self.board.shores[walk[-1].location.province.index]
            beside = shores & self.board.convoyable
        landings = shores & self.board.coastal & ~(1 << start.index)
        return walk, [self.board.locations[index] for index in bits(landings)]

    def fleets_in(self, mask: int) -> list[Unit]:
        standing = (self.position.unit_at[index] for index in bits(mask))
        return [unit for unit in standing if unit is not None and unit.kind == "F"]

    def move(self, unit: Unit) -> None:
        """Move to where somebody stands or is going already, three times as often as elsewhere."""
        assert unit.kind
        steps = self.board.steps(unit.kind, unit.location)
        if not steps:
            self.ordered[unit] = Hold(unit)
            return
        crowded = {place.province for place in self.target.values()} | self.occupied
        weights = [3 if place.province in crowded else 1 for place in steps]
        self.send(unit, Move(unit, self.rng.choices(steps, weights)[0]))

    def send(self, unit: Unit, order: Move) -> None:
        self.ordered[unit], self.target[unit] = order, order.to

    def stay(self, unit: Unit) -> None:
        choices = list(self.supports(unit)) if self.rng.random() < SUPPORTING else []
        if not choices:
            self.ordered[unit] = Hold(unit)
            return
        weights = [3 if order.supported.power == unit.power else 1 for order in choices]
        self.ordered[unit] = self.rng.choices(choices, weights)[0]

    def supports(self, unit: Unit) -> Iterator[Support]:
        """Yield what the unit can support: moves as ordered, units that stay, now and then
        nonsense."""
        assert unit.kind
        reach = self.board.reach(unit.kind, unit.location)
        for other in self.position.units:
            goal = self.target.get(other)
            if other is unit:
                continue
            if goal is not None and reach >> goal.province.index & 1:
                yield Support(unit, other, goal)
            in_reach = reach >> other.location.province.index & 1
            if in_reach and (goal is None or self.rng.random() < NONSENSE):
                yield Support(unit, other)


def crowd_together(variant: Variant, count: int, rng: Random) -> Position:
    """Return a position of ``count`` units of four powers, in a region of the board hardly larger
    than they need."""
    board = variant.board
    region = {rng.choice([p.index for p in board.provinces if board.neighbours[p.index]])}
    while len(region) < count + 3:
        region.add(rng.choice(board.neighbours[rng.choice(sorted(region))]))
    chosen = (board.provinces[index] for index in rng.sample(sorted(region), count))
    units = (somebody(variant, province, rng) for province in chosen)
    return Position(variant, variant.first_phase, tuple(units))


def somebody(variant: Variant, province: Province, rng: Random) -> Unit:
    """Return a unit that can stand in ``province``."""
    board, power = variant.board, rng.choice(variant.powers[:4])
    afloat = [Unit("F", place, power) for place in board.fleet_places(province)]
    ashore = [] if province.kind == "sea" else [Unit("A", board.location(province), power)]
    return rng.choice(afloat + ashore * max(len(afloat), 1))


def retreats(position: Position, rng: Random) -> Iterator[tuple[str, Order]]:
    """Yield retreats for most dislodged units, preferably to where another unit may go, too."""
    open_to = [place.province for one in position.dislodged for place in one.retreats]
    for one in position.dislodged:
        order = retreat(one, open_to, rng)
        if order is not None:
            yield one.unit.power, order


def retreat(one: Dislodged, open_to: list[Province], rng: Random) -> Order | None:
    """Return a retreat, a disband, or now and then no order at all."""
    chance = rng.random()
    if chance < 0.05:
        return None
    if chance < 0.15 or not one.retreats:
        return Disband(one.unit)
    weights = [open_to.count(place.province) ** 2 for place in one.retreats]
    return Retreat(one.unit, rng.choices(one.retreats, weights)[0])


def adjustments(position: Position, rng: Random) -> Iterator[tuple[str, Order]]:
    """Yield builds and disbands in the number that is due, now and then fewer."""
    for power in position.variant.powers:
        due = position.adjustment(power)
        wanted = abs(due) - (rng.random() < 0.15)
        if due > 0:
            sites = list(position.build_sites(power))
            rng.shuffle(sites)
            for site in sites[: max(wanted, 0)]:
                yield power, build(position, power, site, rng)
        elif due < 0:
            for unit in rng.sample(position.units_of(power), max(wanted, 0)):
                yield power, Disband(unit)


def build(position: Position, power: str, site: Province, rng: Random) -> Order:
    """Build an army or a fleet, whichever can stand in ``site``."""
    board = position.variant.board
    fleets = [Build(power, "F", place) for place in board.fleet_places(site)]
    armies = [Build(power, "A", board.location(site))] * max(len(fleets), 1)
    return rng.choice(fleets + armies)


def by_power(variant: Variant, owned: Iterator[tuple[str, Order]]) -> Orders:
    """Collect the orders per power; a power without one has an empty list."""
    orders: Orders = {power: [] for power in variant.powers}
    for power, order in owned:
        orders[power].append(order)
    return orders
