"""Random positions and orders for the tests of invariants."""

from __future__ import annotations

from random import Random

from judge import Order, Phase, Position, Unit, legal_orders, load_variant
from judge.places import Location

STANDARD = load_variant("standard")


def random_position(rng: Random, number: int = 24, phase: str = "S1901M") -> Position:
    """A movement phase with units anywhere they can stand, crowded enough that they meet."""
    board = STANDARD.board
    provinces = [p for p in board.provinces if p.kind != "impassable"]
    units = []
    for province in rng.sample(provinces, number):
        places: list[tuple[str, Location]] = [("F", at) for at in board.fleet_places(province)]
        if province.kind != "sea":
            places.append(("A", board.location(province)))
        kind, place = rng.choice(places)
        units.append(Unit("A" if kind == "A" else "F", place, rng.choice(STANDARD.powers[:4])))
    centers = {center: rng.choice(STANDARD.powers) for center in board.centers}
    return Position(STANDARD, Phase.parse(phase), tuple(units), centers)


def random_orders(position: Position, rng: Random) -> dict[str, list[Order]]:
    """An order for each unit; supports and convoys mostly match what others were ordered."""
    orders: dict[Unit, Order] = {}
    options = {u: o for units in legal_orders(position).values() for u, o in units.items() if u}
    for unit in rng.sample(list(options), len(options)):
        moves = [o for o in options[unit] if type(o).__name__ == "Move"]
        if moves and rng.random() < 0.55:
            orders[unit] = rng.choice(moves)
    for unit, choices in options.items():
        if unit not in orders:
            useful = [o for o in choices if _matches(o, orders)]
            orders[unit] = rng.choice(useful if useful and rng.random() < 0.85 else choices)
    lists: dict[str, list[Order]] = {}
    for unit, order in orders.items():
        lists.setdefault(unit.power, []).append(order)
    return lists


def _matches(order: Order, orders: dict[Unit, Order]) -> bool:
    aided = getattr(order, "supported", None) or getattr(order, "army", None)
    if aided is None:
        return False
    theirs = orders.get(aided)
    goal = getattr(order, "to", None)
    return goal == getattr(theirs, "to", None)
