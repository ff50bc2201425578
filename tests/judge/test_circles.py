"""Circles of orders against all their solutions, found by trying every combination."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from judge import DATC, Order, Phase, Position, Rulebook, Unit, legal_orders, load_variant
from judge.board import bits
from judge.movement.circles import closure, innermost_circle, resolve
from judge.movement.resolver import Resolver
from judge.movement.state import Decisions, MovementState
from tests.judge.table import play, stand, undecided, words
from tests.rows import each_row

STANDARD = load_variant("standard")
CHANNEL = ["English Channel", "North Sea", "London", "Belgium", "Wales", "Picardy", "Brest"]
MOST_DECISIONS = 9


def narrow_position(rng: Random) -> Position:
    """Units of four powers crowded around the English Channel, where paradoxes are common."""
    board = STANDARD.board
    units = []
    for name in CHANNEL:
        province = board.province(name)
        kind = "F" if province.kind == "sea" or rng.random() < 0.4 else "A"
        power = rng.choice(STANDARD.powers[1:4])
        units.append(Unit("F" if kind == "F" else "A", board.location(province), power))
    return Position(STANDARD, Phase.parse("S1901M"), tuple(units))


def tangled_orders(position: Position, rng: Random) -> dict[int, Order]:
    """Move, supports and convoys that mostly fit together."""
    options = {u: o for units in legal_orders(position).values() for u, o in units.items() if u}
    inside = {STANDARD.board.province(name) for name in CHANNEL}
    orders: dict[int, Order] = {}
    goals: dict[Unit, object] = {}
    for unit in position.units:
        moves = [
            order
            for order in options[unit]
            if type(order).__name__ == "Move" and order.to.province in inside
        ]
        if moves and rng.random() < 0.5:
            order = rng.choice(moves)
            orders[unit.location.province.index], goals[unit] = order, order.to
    for unit in position.units:
        if unit not in goals:
            fitting = [order for order in options[unit] if fits(order, goals)]
            orders[unit.location.province.index] = rng.choice(fitting or list(options[unit]))
    return orders


def fits(order: Order, goals: dict[Unit, object]) -> bool:
    aided = getattr(order, "supported", None) or getattr(order, "army", None)
    return aided is not None and goals.get(aided) == getattr(order, "to", None)


def all_solutions(s: MovementState, rules: Rulebook) -> Iterator[Decisions]:
    """Every assignment of success and failure in which each order's own equation agrees."""
    units = list(bits(s.undecided()))
    resolver = Resolver(s, rules)
    start = (s.decisions(), s.pathed, s.pathless)
    for values in product((True, False), repeat=len(units)):
        for unit, value in zip(units, values, strict=True):
            resolver.record(unit, value)
        resolver.find_paths()
        if all(resolver.verdict(u) is v for u, v in zip(units, values, strict=True)):
            yield s.decisions()
        decided, s.pathed, s.pathless = start
        s.moved, s.failed, s.given, s.cut, s.available, s.disrupted = decided


def situations(number: int) -> Iterator[tuple[Position, dict[int, Order]]]:
    rng = Random(1901)
    found = 0
    while found < number:
        position = narrow_position(rng)
        orders = tangled_orders(position, rng)
        s = undecided(position, orders.values())
        if s.convoyed and s.undecided().bit_count() <= MOST_DECISIONS:
            found += 1
            yield position, orders


def test_where_the_equations_have_one_answer_it_is_taken_and_no_rule_is_needed():
    with_several, with_one, with_none = 0, 0, 0
    for position, orders in situations(1500):
        found = list(all_solutions(undecided(position, orders.values()), DATC))
        s = undecided(position, orders.values())
        resolve(Resolver(s, DATC), DATC.convoy_paradoxes)
        if len(found) == 1:
            with_one += 1
            assert s.decisions() == found[0]
            assert not s.rulings
        else:
            with_several += len(found) > 1
            with_none += not found
            assert s.rulings
    assert with_one > 1000
    assert with_none + with_several >= 5


def test_circular_movement_succeeds_and_is_remembered_as_such():
    position = stand({"Turkey": ["F Ankara", "A Constantinople", "A Smyrna"]})
    outcome = play(
        position,
        {
            "Turkey": [
                "F Ankara - Constantinople",
                "A Constantinople - Smyrna",
                "A Smyrna - Ankara",
            ]
        },
    )
    assert set(words(outcome).values()) == {"succeeds"}


def test_two_circles_of_moves_turn_at_once():
    position = stand(
        {
            "Turkey": ["F Ankara", "A Constantinople", "A Smyrna"],
            "Germany": ["A Munich", "A Bohemia", "A Silesia"],
        }
    )
    outcome = play(
        position,
        {
            "Turkey": [
                "F Ankara - Constantinople",
                "A Constantinople - Smyrna",
                "A Smyrna - Ankara",
            ],
            "Germany": ["A Munich - Bohemia", "A Bohemia - Silesia", "A Silesia - Munich"],
        },
    )
    assert set(words(outcome).values()) == {"succeeds"}


def test_the_innermost_circle_is_the_one_that_needs_nothing_outside():
    needs = {1: 0b100, 2: 0b10, 3: 0b10}
    assert closure(1, needs) == 0b110
    assert closure(3, needs) == 0b110
    position = stand({"Turkey": ["F Ankara", "A Constantinople", "A Smyrna", "A Armenia"]})
    texts = [
        "F Ankara - Constantinople",
        "A Constantinople - Smyrna",
        "A Smyrna - Ankara",
        "A Armenia Holds",
    ]
    orders = {}
    for unit, options in legal_orders(position)["Turkey"].items():
        assert unit
        (order,) = [option for option in options if str(option) in texts]
        orders[unit.location.province.index] = order
    s = undecided(position, orders.values())
    resolver = Resolver(s, DATC)
    resolver.settle()
    assert innermost_circle(resolver, s.undecided()) == s.movers


PANDIN = {
    "England": ["F London", "F Wales"],
    "France": ["A Brest", "F English Channel"],
}
PANDIN_ORDERS = {
    "England": ["F London Supports F Wales - English Channel", "F Wales - English Channel"],
    "France": ["A Brest - London", "F English Channel Convoys A Brest - London"],
}


@each_row(
    ("rule", "wales", "channel"),
    [
        ("Szykman", "succeeds", "disrupted, dislodged"),
        ("Verheijden", "succeeds", "disrupted, dislodged"),
        ("AllHold", "fails", "available"),
        ("1971", "succeeds", "disrupted, dislodged"),
        ("1982", "succeeds", "disrupted, dislodged"),
        ("2000", "succeeds", "disrupted, dislodged"),
        ("DPTG", "succeeds", "disrupted, dislodged"),
    ],
)
def test_each_paradox_rule_on_the_simplest_paradox(rule: str, wales: str, channel: str):
    outcome = play(stand(PANDIN), PANDIN_ORDERS, Rulebook.from_json({"4.A.2": rule}))
    results = words(outcome)
    assert results["F Wales - English Channel"] == wales
    assert results["F English Channel Convoys A Brest - London"] == channel
    assert results["A Brest - London"] == "fails"
