"""The equations of the variants' own rules: what each reads, and that all legal orders are listed.

Circles are found by what an equation is said to read; one that reads more than it says makes the
judge miss a paradox.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from benchmarks.random_games import crowd_together
from benchmarks.variant_games import random_orders
from judge import (
    DATC,
    Hold,
    Move,
    MovementOrder,
    Order,
    Permit,
    Position,
    Ride,
    Support,
    Unit,
    illegality,
    legal_orders,
    load_variant,
    may_be_orders,
    parse_order,
    read_orders,
)
from judge.board import bits
from judge.movement.variant_resolver import VariantResolver
from tests.judge.table import undecided
from tests.judge.test_every_rulebook import decide_at_random, forget
from tests.judge.test_maps import crowded_colonial
from tests.rows import each_row


def crowded(name: str, rng: Random) -> Position:
    if name == "colonial":
        return crowded_colonial(rng)
    return crowd_together(load_variant(name), 14, rng)


@pytest.mark.parametrize("name", ["colonial", "loeb9", "1900"])
def test_no_equation_reads_more_than_it_says(name: str):
    """Orders that an equation is not said to read are decided at random; its answer stays."""
    rng, changed = Random(name), Counter[bool]()
    for _ in range(60):
        position = crowded(name, rng)
        given = [order for one in random_orders(position, rng, DATC).values() for order in one]
        s = undecided(position, [order for order in given if isinstance(order, MovementOrder)])
        resolver = VariantResolver(s, DATC)
        resolver.find_paths()
        for unit in bits(s.undecided()):
            before, reads = resolver.verdict(unit), resolver.reads(unit)
            for _ in range(3):
                others = decide_at_random(resolver, ~reads, rng)
                assert resolver.verdict(unit) is before, (unit, [str(order) for order in given])
                decide_at_random(resolver, reads, rng)
                changed[resolver.verdict(unit) is not before] += 1
                forget(s, others)
    assert changed[True] > 30


def test_what_is_listed_is_legal_and_what_is_not_is_illegal():
    """On the line and at the canal: each ride, permission, move and support that can be written."""
    rng = Random(3)
    for _ in range(12):
        position = crowded_colonial(rng)
        listed = {
            (power, str(order))
            for power, by_unit in legal_orders(position).items()
            for orders in by_unit.values()
            for order in orders
        }
        for power in position.variant.powers:
            for order in thinkable(position, power):
                legal = illegality(order, position, power) is None
                assert legal == ((power, str(order)) in listed), f"{power}: {order}"


def thinkable(position: Position, power: str) -> list[Order]:
    """Orders for the power's units to every stop of the line and both ends of the canal, supports
    for such moves of others, and permissions."""
    board = position.variant.board
    names = ("Moscow", "Perm", "Omsk", "Krasnoyarsk", "Irkutsk", "Vladivostok")
    stops = [board.location(board.province(name)) for name in names]
    ends = [board.location(board.province(n)) for n in ("Mediterranean Sea", "Red Sea")]
    orders: list[Order] = []
    for unit in position.units_of(power):
        orders += [Ride(unit, stop, "TSR") for stop in stops]
        orders += [Move(unit, end) for end in (*ends, *stops) if not convoyable(unit)]
        for other in position.units:
            if other is not unit and not convoyable(other):
                orders += [Support(unit, other, to) for to in (*stops, *ends)]
        orders.append(Hold(unit))
    canal = position.variant.own_rules[1].stand_in(power)
    assert canal
    for end in ends:
        fleet = position.unit_at[end.province.index]
        if fleet:
            orders += [Permit(canal, fleet, to) for to in ends]
    return orders


def convoyable(unit: Unit) -> bool:
    return unit.kind == "A" and unit.location.province.kind == "coast"


@each_row(
    "text",
    [
        *("A Moscow - TSR - Vladivostok", "A Mos-TSR-Vla", "A Mos TSR Vla", "a mos - tsr - vla"),
        *("A Moscow - Vladivostok via TSR", "A Mos - Vla by train", "Mos - TSR - Vla"),
        *("A Moscow - Trans-Siberian Railroad - Vladivostok", "A Mos - Vla via the railway"),
        *("Russia: A Mos - TSR - Vla", "A Mos moves via TSR to Vla", "A Mos - Vla by the TSR"),
    ],
)
def test_a_ride_is_read_however_it_is_written(text: str):
    position = Position.start(load_variant("colonial"))
    [reading] = read_orders(position, "Russia", [text])
    assert (str(reading.order), reading.problem) == ("A Moscow - TSR - Vladivostok", None)


@each_row(
    "text",
    [
        *("SC F Mediterranean Sea - Red Sea", "SC F Med - Red", "Suez: F Med - Red"),
        *("Suez Canal F Med-Red", "permit F Med - Red", "Turkey: SC F Med - Red", "SC Med - Red"),
        *("Allow F Med - Red through the Suez Canal", "permission for F Med to Red"),
    ],
)
def test_a_permission_is_read_however_it_is_written(text: str):
    state = {"phase": "S1870M", "units": {"Turkey": ["A Egypt"], "Russia": ["F Med"]}}
    position = Position.from_state(load_variant("colonial"), state)
    [reading] = read_orders(position, "Turkey", [text])
    canonical = "SC F Mediterranean Sea - Red Sea"
    assert (str(reading.order), reading.problem) == (canonical, None)


@pytest.mark.parametrize("text", ["A Moscow - TSR - Perm", "SC F Mediterranean Sea - Red Sea"])
def test_an_order_is_read_without_a_position(text: str):
    assert str(parse_order(text, load_variant("colonial"))) == text


def test_on_a_map_without_a_railway_its_words_are_no_order():
    position = Position.start(load_variant("standard"))
    [reading] = read_orders(position, "Russia", ["A Moscow - TSR - Warsaw"])
    assert reading.problem


def test_a_quick_look_finds_the_maps_that_a_line_may_be_about():
    assert may_be_orders("A Vla - Seo", load_variant("colonial"))
    assert may_be_orders("a krasnoyarsk hold", load_variant("colonial"))
    assert may_be_orders("1. Russia: Mos - TSR - Vla", load_variant("colonial"))
    assert not may_be_orders("If you go to Seoul I do not mind.", load_variant("colonial"))
    assert not may_be_orders("A Paris - Burgundy", load_variant("colonial"))
