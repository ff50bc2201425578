"""Crowded phases under every rulebook: every preset, and every choice of every single issue.

A long run of the same is `python -m benchmarks.every_rulebook`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from benchmarks.equations import claim, flat, moved_by_us
from benchmarks.every_rulebook import faults, is_paradox, line, phase, rulebooks
from benchmarks.random_games import crowd_together, random_orders
from judge import Position, Rulebook, adjudicate, load_variant, preset_names, read_orders
from judge.board import bits
from judge.movement.circles import innermost_circle, is_ring, move_in_a_circle, solutions
from judge.movement.resolver import Resolver
from judge.movement.state import MovementState
from judge.orders import Move
from judge.soundness import JudgeFault, check_movement, check_units
from tests.judge.table import play, stand, undecided, units, words
from tests.rows import each_row

BOOKS = rulebooks()
NEVER = [name for name, rules in BOOKS.items() if rules.dislodged_bounce == "a"]
"""The rulebooks under which a dislodged unit never keeps others out (4.A.7 a)."""
MOVEMENT = [name for name in BOOKS if name[:3] in ("4.A", "6.E") or name in preset_names()]

HELGOLAND = {
    "Italy": ["F Helgoland Bight", "A Kiel", "A Ruhr"],
    "Austria": ["F Baltic Sea", "A Berlin"],
}
HELGOLAND_ORDERS = {
    "Italy": [
        "F Helgoland Bight - Kiel",
        "A Kiel - Berlin",
        "A Ruhr Supports A Berlin - Kiel",
    ],
    "Austria": ["F Baltic Sea Convoys A Berlin - Kiel", "A Berlin - Kiel via convoy"],
}


@each_row("name", ["DATC", *NEVER])
def test_a_rival_of_two_units_that_trade_places_is_no_part_of_their_circle(name: str):
    outcome = play(stand(HELGOLAND), HELGOLAND_ORDERS, BOOKS[name])
    # Where only trading units go by convoy (1971, 1982, 2000) it makes no difference here.
    assert words(outcome)["F Helgoland Bight - Kiel"] == "fails"
    assert words(outcome)["A Berlin - Kiel via Convoy"] == "succeeds"
    assert words(outcome)["A Kiel - Berlin"] == "succeeds"
    assert units(outcome.next).count("Italy: A Berlin") == 1
    assert Position.from_state(outcome.next.variant, outcome.next.to_state()) is not None


@each_row(
    ("others", "order"),
    [
        (
            {
                "Germany": ["A Belgium - Holland", "A Ruhr S A Belgium - Holland"],
                "France": ["A Holland H"],
            },
            "A Belgium - Holland",
        ),
        (
            {"Russia": ["F Norway - North Sea", "F Skagerrak S F Norway - North Sea"]},
            "F Norway - North Sea",
        ),
    ],
)
def test_who_only_leaves_where_a_convoyed_army_goes_or_only_attacks_its_fleet_does_not_meet_it(
    others: dict[str, list[str]], order: str
):
    """Under Brannan's rule (4.A.4) it is head to head with one that does both at once."""
    england = ["A London - Belgium", "F North Sea C A London - Belgium"]
    orders = {"England": [*england, "F English Channel S A London - Belgium"], **others}
    standing = {
        power: [re.split(" - | S | C | H$", line)[0] for line in lines]
        for power, lines in orders.items()
    }
    outcome = play(stand(standing), orders, BOOKS["4.A.4 Brannan"])
    assert words(outcome)[order] == "succeeds"


@each_row("name", BOOKS)
def test_every_result_obeys_the_equations(name: str):
    rng = Random(name)
    for _ in range(60 if name in preset_names() else 15):
        position, orders = phase(rng)
        outcome = adjudicate(position, orders, BOOKS[name])
        wrong = list(faults(position, orders, outcome, BOOKS[name]))
        assert wrong == [], line(position, orders, BOOKS[name])


@each_row("name", BOOKS)
def test_a_random_game_goes_on_from_position_to_position(name: str):
    """Every phase checks itself, and every position that follows can be sent back."""
    rng, position = Random(name), Position.start(load_variant("standard"))
    for _ in range(12):
        outcome = adjudicate(position, random_orders(position, rng), BOOKS[name])
        position = Position.from_state(position.variant, outcome.next.to_state())
        powers = position.variant.powers
        owned = {power: len(outcome.next.centers_of(power)) for power in powers}
        assert outcome.next.holdings == position.holdings == owned


@each_row("name", MOVEMENT)
def test_no_other_result_obeys_the_equations(name: str):
    """Every thinkable result is tried: one that obeys must be ours, of two the one with more moves
    (a circle of moves succeeds, 5.B.9)."""
    rng, rules, plain = Random(name), BOOKS[name], 0
    for _ in range(20):
        position = crowd_together(load_variant("standard"), rng.randint(4, 8), rng)
        orders = random_orders(position, rng, convoyed=0.9)
        outcome = adjudicate(position, orders, rules)
        if is_paradox(outcome):
            continue
        given = list(flat(orders))
        ours = claim(position, outcome, given, moved_by_us(outcome, given), rules)
        allowed = ours.allowed()
        assert ours.moved == max(allowed, key=len), line(position, orders, rules)
        plain += 1
    assert plain > 10


@each_row("name", MOVEMENT)
def test_no_equation_reads_more_than_it_says(name: str):
    """Orders that an equation is not said to read are decided at random; its answer stays."""
    rng, rules, changed = Random(name), BOOKS[name], Counter[bool]()
    for _ in range(30):
        resolver = undecided_resolver(*phase(rng), rules)
        for unit in bits(resolver.s.undecided()):
            before = resolver.verdict(unit)
            reads = resolver.reads(unit)
            for _ in range(3):
                others = decide_at_random(resolver, ~reads, rng)
                assert resolver.verdict(unit) is before
                decide_at_random(resolver, reads, rng)
                changed[resolver.verdict(unit) is not before] += 1
                forget(resolver.s, others)
    assert changed[True] > 50


Start = tuple[int, int, int, int]


def undecided_resolver(position: Position, orders, rules: Rulebook) -> Resolver:
    resolver = Resolver(undecided(position, flat(orders), rules), rules)
    # Without any fleet ordered to convoy it an army has no path, whatever is decided.
    resolver.find_paths()
    return resolver


def forget(s: MovementState, start: Start) -> None:
    s.moved = s.failed = s.given = s.cut = s.available = s.disrupted = 0
    s.pathed, s.pathless, s.by_land, s.convoyed = start


def decide_at_random(resolver: Resolver, among: int, rng: Random) -> Start:
    s = resolver.s
    start = s.pathed, s.pathless, s.by_land, s.convoyed
    for unit in bits(s.undecided() & among):
        if rng.random() < 0.7:
            resolver.record(unit, rng.random() < 0.5)
    resolver.find_paths()
    return start


def test_a_ring_of_moves_has_two_solutions():
    """So the judge lets it turn without looking for them."""
    rng, rings = Random(4), 0
    for name in MOVEMENT * 6:
        resolver = undecided_resolver(*phase(rng), BOOKS[name])
        if undecided := resolver.settle():
            circle = innermost_circle(resolver, undecided)
            if is_ring(resolver.s, circle):
                assert len(solutions(resolver, circle)) == 2, name
                rings += 1
    assert rings > 10


def a_ring() -> MovementState:
    position = stand({"Turkey": ["F Ankara", "A Constantinople", "A Smyrna", "A Armenia"]})
    moves = {
        "Turkey": [
            "F Ankara - Constantinople",
            "A Constantinople - Smyrna",
            "A Smyrna - Ankara",
            "A Armenia - Ankara",
        ]
    }
    outcome = play(position, moves)
    assert words(outcome)["A Armenia - Ankara"] == "fails"
    return undecided(position, parsed(position, moves))


def parsed(position: Position, lists) -> Iterator[Move]:
    for power, lines in lists.items():
        for reading in read_orders(position, power, lines):
            assert isinstance(reading.order, Move)
            yield reading.order


def test_only_a_ring_of_moves_is_a_circle():
    s = a_ring()
    here = {province.name: 1 << province.index for province in s.board.provinces}
    ring = here["Ankara"] | here["Constantinople"] | here["Smyrna"]
    assert is_ring(s, ring)
    assert not is_ring(s, ring | here["Armenia"])
    assert not is_ring(s, ring & ~here["Smyrna"])
    assert not is_ring(s, here["Armenia"] | here["Ankara"])


def test_a_circle_that_is_no_ring_fails_and_nothing_beside_it():
    s = a_ring()
    two = next(bits(s.movers))
    move_in_a_circle(s, 1 << two)
    assert (s.moved, s.failed, s.cut) == (0, 1 << two, 0)


def test_a_movement_that_ends_with_two_units_in_one_province_is_a_fault():
    s = a_ring()
    s.moved = s.movers
    with pytest.raises(JudgeFault, match="from Armenia and Smyrna both enter Ankara"):
        check_movement(s)
    s.moved, s.failed = 0, 0
    with pytest.raises(JudgeFault, match="decided"):
        check_movement(s)


def test_a_unit_too_few_or_two_in_one_province_are_a_fault():
    both = stand({"Turkey": ["F Ankara", "A Smyrna"]}).units
    check_units(2, both)
    check_units(3, both, ["one that was destroyed"])
    with pytest.raises(JudgeFault, match="Of 3 units 2 are left"):
        check_units(3, both)
    with pytest.raises(JudgeFault, match="Two units"):
        check_units(2, [both[0], both[0]])
