"""Random games held against the equations of DATC 5.B, which `benchmarks.equations` has once more.

The judge decides from partial information, by circles and backup rules; the check only evaluates.
They share no code but the values, so a slip in one does not hide behind the same slip in the other.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from benchmarks.equations import Claim, claim, flat, moved_by_us
from benchmarks.random_games import crowd_together, random_orders
from judge import Outcome, Position, adjudicate, load_variant
from judge.orders import Move, Support
from tests.rows import each_row

SEEDS = range(1, 31)
PARADOX = "paradox"


def movement_phases(seed: int, years: int = 8) -> list[tuple[Claim, Outcome]]:
    rng = Random(seed)
    position = Position.start(load_variant("standard"))
    last = position.phase.year + years
    phases = []
    while position.phase.year < last:
        orders = random_orders(position, rng)
        outcome = adjudicate(position, orders)
        if position.phase.step == "M":
            given = list(flat(orders))
            phases.append((claim(position, outcome, given, moved_by_us(outcome, given)), outcome))
        position = outcome.next
    return phases


@each_row("seed", SEEDS)
def test_every_result_of_a_random_game_obeys_the_equations(seed: int):
    for claimed, outcome in movement_phases(seed):
        if any(PARADOX in (result.reason or "") for result in outcome.results):
            continue
        assert [str(wrong) for wrong in claimed.violations()] == []
        assert supports_of(claimed) == words_of_supports(claimed, outcome)


def test_a_false_result_is_contradicted_by_the_equations():
    """The check can fail: claim of each move the opposite of what it did."""
    contradicted = moves = 0
    for claimed, _ in movement_phases(1, years=3):
        for unit, order in claimed.orders.items():
            if isinstance(order, Move):
                turned = claimed.moved ^ {unit}
                other = Claim(claimed.position, claimed.orders, claimed.pathless, turned)
                contradicted += any(other.violations())
                moves += 1
    assert moves > 50
    assert contradicted == moves


def test_of_all_results_that_could_be_it_is_the_one_that_the_equations_allow():
    """Crowded positions with many convoys, for each of which every thinkable result is tried.

    One that obeys the equations must be ours. Two: a circle of moves, which succeeds (5.B.9), or a
    convoy paradox. None: a paradox. And where there is no paradox none may be mentioned.
    """
    seen = Counter[str]()
    for seed in range(250):
        rng = Random(seed)
        position = crowd_together(load_variant("standard"), rng.randint(5, 10), rng)
        orders = random_orders(position, rng, convoyed=0.9)
        outcome = adjudicate(position, orders)
        given = list(flat(orders))
        ours = claim(position, outcome, given, moved_by_us(outcome, given))
        allowed = ours.allowed()
        if any(PARADOX in (result.reason or "") for result in outcome.results):
            assert len(allowed) != 1, seed
            seen["paradoxes"] += 1
        else:
            assert ours.moved == max(allowed, key=len), seed
            seen["circles" if len(allowed) > 1 else "plain"] += 1
    assert seen["plain"] > 200
    assert seen["circles"] > 0


def supports_of(claimed: Claim) -> dict[str, str]:
    return {
        str(claimed.orders[u]): "given" if given else "cut" for u, given in claimed.given.items()
    }


def words_of_supports(claimed: Claim, outcome: Outcome) -> dict[str, str]:
    supports = {str(order) for order in claimed.orders.values() if isinstance(order, Support)}
    return {
        result.order: result.result[0] for result in outcome.results if result.order in supports
    }
