"""The legal orders: all that are listed are accepted, and nothing else is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from benchmarks.random_games import random_orders
from judge import (
    DATC,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Position,
    Retreat,
    Rulebook,
    Support,
    Waive,
    adjudicate,
    illegality,
    legal_orders,
    load_variant,
    read_orders,
)
from judge.convoys import useful_fleets
from judge.units import Unit
from tests.judge.positions import random_position
from tests.judge.table import stand
from tests.rows import each_row

STANDARD = load_variant("standard")


def listed(position: Position, rules: Rulebook = DATC) -> set[str]:
    return {
        f"{power}: {order}"
        for power, units in legal_orders(position, rules).items()
        for orders in units.values()
        for order in orders
    }


def test_everybody_can_hold_move_and_support_at_the_start():
    options = legal_orders(Position.start(STANDARD))
    kiel = next(unit for unit in options["Germany"] if unit and str(unit) == "F Kiel")
    assert {str(order) for order in options["Germany"][kiel]} == {
        "F Kiel Holds",
        "F Kiel - Baltic Sea",
        "F Kiel - Berlin",
        "F Kiel - Denmark",
        "F Kiel - Helgoland Bight",
        "F Kiel - Holland",
        "F Kiel Supports A Berlin",
        "F Kiel Supports A Munich - Berlin",
    }


def test_a_convoy_is_offered_to_army_fleet_and_supporter():
    position = stand({"England": ["F North Sea", "A London", "F Denmark"]})
    orders = listed(position)
    assert "England: A London - Norway" in orders
    assert "England: F North Sea Convoys A London - Norway" in orders
    assert "England: F Denmark Supports A London - Sweden" not in orders
    assert "England: F Denmark Supports A London - Kiel" not in orders


def test_a_fleet_is_not_offered_to_support_what_it_would_have_to_convoy():
    position = stand({"Turkey": ["F Black Sea"], "Austria": ["A Rumania"]})
    assert "Turkey: F Black Sea Supports A Rumania - Armenia" not in listed(position)
    assert "Turkey: F Black Sea Convoys A Rumania - Armenia" in listed(position)


def test_via_convoy_is_offered_only_where_there_are_two_ways():
    position = stand({"England": ["F Skagerrak", "A Norway"]})
    orders = listed(position)
    assert {"England: A Norway - Sweden", "England: A Norway - Sweden via Convoy"} <= orders
    assert "England: A Norway - Denmark" in orders
    assert "England: A Norway - Denmark via Convoy" not in orders


def test_a_superfluous_fleet_is_not_offered_to_convoy():
    position = stand({"Italy": ["A Tunis", "F Ionian Sea", "F Adriatic Sea"]})
    assert "Italy: F Adriatic Sea Convoys A Tunis - Albania" not in listed(position)
    assert "Italy: F Adriatic Sea Convoys A Tunis - Venice" in listed(position)


def test_a_roundabout_convoy_is_offered_under_the_technical_guide():
    position = stand({"Italy": ["A Tunis", "F Ionian Sea", "F Adriatic Sea"]})
    convoy = "Italy: F Ionian Sea Convoys A Tunis - Albania"
    roundabout = "Italy: F Adriatic Sea Convoys A Tunis - Albania"
    assert {convoy, roundabout} <= listed(position, Rulebook.named("DPTG"))


def test_retreats_builds_and_disbands_are_offered_in_their_phases():
    retreat = stand(
        {},
        phase="S1901R",
        dislodged=[{"power": "Italy", "unit": "A Vienna", "retreats": ["Tyrolia", "Bohemia"]}],
    )
    assert listed(retreat) == {
        "Italy: A Vienna - Tyrolia",
        "Italy: A Vienna - Bohemia",
        "Italy: Disband A Vienna",
    }
    winter = stand(
        {"Turkey": ["A Bulgaria", "A Serbia"]},
        phase="W1901A",
        centers={"Russia": ["Moscow", "St Petersburg"], "Turkey": ["Ankara"]},
    )
    assert listed(winter) == {
        "Russia: Build A Moscow",
        "Russia: Build A St Petersburg",
        "Russia: Build F St Petersburg(nc)",
        "Russia: Build F St Petersburg(sc)",
        "Russia: Waive",
        "Turkey: Disband A Bulgaria",
        "Turkey: Disband A Serbia",
    }


def test_the_orders_of_one_power_are_listed_alone():
    winter = stand({}, phase="W1901A", centers={"France": ["Paris"], "Italy": ["Rome"]})
    assert legal_orders(winter, only="Italy") == {"Italy": legal_orders(winter)["Italy"]}
    assert legal_orders(winter, only="Turkey") == {}


def test_a_build_is_not_offered_to_be_declined_where_the_rules_forbid_it():
    winter = stand({}, phase="W1901A", centers={"France": ["Paris"]})
    assert listed(winter, Rulebook.from_json({"4.D.7": "b"})) == {"France: Build A Paris"}


@each_row(
    ("seed", "rules"), [*((seed, "DATC") for seed in range(6)), *((8 + i, "DPTG") for i in (0, 1))]
)
def test_what_is_listed_is_legal_and_nothing_else_is(seed: int, rules: str):
    # What can be written grows with the square of the units.
    position = random_position(Random(seed), 24 if seed in (0, 8) else 14)
    rulebook = Rulebook.named(rules)
    allowed, legal = listed(position, rulebook), set[str]()
    for power in position.variant.powers:
        legal |= {
            f"{power}: {as_offered(order, position, rulebook)}"
            for order in every_order(position, power)
            if illegality(order, position, power, rulebook) is None
        }
    assert legal == allowed


def as_offered(order: Order, position: Position, rules: Rulebook) -> Order:
    """The order without the coast in a support, where the rules disregard that (4.B.4)."""
    if rules.support_coast != "DPTG" or not isinstance(order, Support) or order.to is None:
        return order
    return replace(order, to=position.variant.board.location(order.to.province))


def every_retreat(position: Position) -> Iterator[Order]:
    """Every unit anywhere, retreating to any place or disbanding."""
    leaving = [one.unit for one in position.dislodged]
    for unit in (*leaving, *position.units):
        yield Disband(unit)
        yield Hold(unit)
        for place in position.variant.board.locations:
            yield Retreat(unit, place)


def every_adjustment(position: Position, power: str) -> Iterator[Order]:
    """Every unit disbanded, and both kinds built at every place; no army on a named coast, which
    would be read as one without (4.B.6)."""
    yield Waive(power)
    for unit in position.units:
        yield Disband(unit)
        yield Hold(unit)
    for place in position.variant.board.locations:
        if place.coast is None:
            yield Build(power, "A", place)
        yield Build(power, "F", place)


@pytest.mark.parametrize("variant", ["standard", "chaos", "1898"])
def test_what_is_listed_after_the_moves_is_legal_and_nothing_else_is(variant: str):
    rng = Random(1898)
    position = Position.start(load_variant(variant))
    steps: Counter[str] = Counter()
    while position.phase.year < position.variant.first_phase.year + 6:
        step = position.phase.step
        allowed = listed(position) if step != "M" else set()
        for power in position.powers_to_order() if step != "M" else ():
            every = every_retreat(position) if step == "R" else every_adjustment(position, power)
            for order in every:
                legal = illegality(order, position, power) is None
                told = f"{power}: {order}" in allowed
                assert legal == told, f"{position.phase} {power}: {order}"
        steps[step] += 1
        position = adjudicate(position, random_orders(position, rng)).next
    assert min(steps["R"], steps["A"]) > 0


@each_row(("seed", "rules"), [*((seed, "DATC") for seed in range(4)), (0, "DPTG")])
def test_what_is_listed_is_read_back_as_itself(seed: int, rules: str):
    position, rulebook = random_position(Random(seed)), Rulebook.named(rules)
    for power, units in legal_orders(position, rulebook).items():
        for orders in units.values():
            for order in orders[:40]:
                (reading,) = read_orders(position, power, [str(order)], rulebook)
                assert (reading.order, reading.problem) == (order, None)


def every_order(position: Position, power: str) -> Iterator[Order]:
    """Every order that can be written for the power's units and is worth offering: with the coast
    of a supported fleet, and "via convoy" only to a neighbour."""
    board = position.variant.board
    for unit in position.units_of(power):
        yield Hold(unit)
        adjacent = board.reach(unit.kind, unit.location)
        for place in places_for(position, unit):
            yield Move(unit, place)
            if unit.kind == "A" and adjacent >> place.province.index & 1:
                yield Move(unit, place, via_convoy=True)
        for other in position.units:
            yield Support(unit, other)
            for place in places_for(position, other):
                yield Support(unit, other, place)
                yield Convoy(unit, other, place)
        yield Disband(unit)
        yield Retreat(unit, unit.location)
    yield Waive(power)
    yield Build(power, "A", board.place("Paris"))


def places_for(position: Position, unit: Unit):
    board = position.variant.board
    for place in board.locations:
        several = place.coast is None and place.province.coasts and unit.kind == "F"
        odd = place.coast is not None and unit.kind == "A"
        if not several and not odd:
            yield place


def test_the_useful_fleets_are_those_of_proper_routes_by_trying_all_chains():
    board = STANDARD.board
    rng = Random(7)
    seas = [p.index for p in board.provinces if p.kind == "sea"]
    coasts = [p.index for p in board.provinces if p.kind == "coast"]
    for _ in range(60):
        fleets = rng.sample(seas, rng.randint(1, 8))
        start, end = rng.sample(coasts, 2)
        expected = 0
        for chain in chains(board, start, end, fleets):
            for fleet in chain:
                expected |= 1 << fleet
        mask = sum(1 << fleet for fleet in fleets)
        assert useful_fleets(board, start, end, mask) == expected


def chains(board, start: int, end: int, fleets: list[int]) -> Iterator[list[int]]:
    """Every chain in which no node touches a later one but the next."""

    def touches(one: int, other: int) -> bool:
        return bool(board.shores[one] >> other & 1)

    def grow(chain: list[int]) -> Iterator[list[int]]:
        last = chain[-1]
        if touches(end, last):
            yield chain[1:]
            return
        for fleet in fleets:
            jumps = any(touches(node, fleet) for node in chain[:-1])
            if fleet not in chain and touches(last, fleet) and not jumps:
                yield from grow([*chain, fleet])

    for first in fleets:
        if touches(start, first):
            yield from grow([start, first])
