"""What must hold for any position and any orders, whatever the rules (Hypothesis)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.random_games import crowd_together
from benchmarks.variant_games import random_orders as orders_of_variant
from judge import (
    DATC,
    Hold,
    Location,
    Order,
    Outcome,
    Phase,
    Position,
    Rulebook,
    Support,
    Unit,
    adjudicate,
    illegality,
    load_variant,
    variant_names,
)
from judge.legality.check import by_the_rules
from judge.rulebook import issue_choices, preset_names
from judge.shortcuts import LASTING, is_local, is_plain, plainness
from tests.examples import times
from tests.judge.positions import STANDARD, random_orders, random_position

quickly = times(0.6)
seeds = st.integers(0, 10**9)
numbers = st.integers(2, 34)
rulebooks = st.sampled_from([Rulebook.named(name) for name in preset_names()])

Orders = dict[str, list[Order]]


def situation(seed: int, number: int) -> tuple[Position, Orders, Random]:
    rng = Random(seed)
    position = random_position(rng, number)
    return position, random_orders(position, rng), rng


def result_words(outcome: Outcome) -> dict[str, tuple[str, ...]]:
    return {f"{one.power}: {one.order}": one.result for one in outcome.results}


@quickly
@given(seeds, numbers, rulebooks)
def test_no_two_units_end_in_one_province_and_none_is_lost(seed: int, number: int, rules: Rulebook):
    position, orders, _ = situation(seed, number)
    outcome = adjudicate(position, orders, rules)
    crowd = Counter(unit.location.province for unit in outcome.next.units)
    assert max(crowd.values(), default=0) == 1
    destroyed = sum("destroyed" in result.result for result in outcome.results)
    left = len(outcome.next.units) + len(outcome.next.dislodged) + destroyed
    assert left == len(position.units)
    assert Counter(unit.power for unit in position.units) >= Counter(
        unit.power for unit in outcome.next.units
    )


@quickly
@given(seeds, numbers, rulebooks)
def test_the_order_of_powers_and_lines_does_not_matter(seed: int, number: int, rules: Rulebook):
    position, orders, rng = situation(seed, number)
    powers = rng.sample(list(orders), len(orders))
    shuffled = {power: rng.sample(orders[power], len(orders[power])) for power in powers}
    one, other = adjudicate(position, orders, rules), adjudicate(position, shuffled, rules)
    assert result_words(one) == result_words(other)
    assert one.next.to_state() == other.next.to_state()


@quickly
@given(seeds, numbers, rulebooks)
def test_legality_does_not_hang_on_the_orders_of_others(seed: int, number: int, rules: Rulebook):
    position, orders, rng = situation(seed, number)
    others = random_orders(position, rng)
    power = rng.choice(list(orders))
    alone = adjudicate(position, {power: orders[power]}, rules)
    together = adjudicate(position, others | {power: orders[power]}, rules)
    assert illegal_ones(alone, power) == illegal_ones(together, power)


def illegal_ones(outcome: Outcome, power: str) -> list[bool]:
    return ["illegal" in one.result for one in outcome.results if one.power == power and one.text]


@quickly
@given(seeds, numbers)
def test_the_next_state_reads_back_as_itself(seed: int, number: int):
    position, orders, _ = situation(seed, number)
    state = adjudicate(position, orders).next.to_state()
    assert Position.from_state(STANDARD, state).to_state() == state


@quickly
@given(seeds, numbers)
def test_text_is_judged_like_values(seed: int, number: int):
    position, orders, _ = situation(seed, number)
    texts = {power: [str(order) for order in lines] for power, lines in orders.items()}
    one, other = adjudicate(position, orders), adjudicate(position, texts)
    assert one.results == other.results
    assert one.next.to_state() == other.next.to_state()


@quickly
@given(seeds, st.integers(2, 20))
def test_rulebooks_agree_where_no_issue_is_involved(seed: int, number: int):
    """Without convoys, and with support against own units counted alike (6.E.7), there is nothing
    that the rulebooks decide differently in a movement."""
    position, orders, _ = situation(seed, number)
    plain = {
        power: [order for order in lines if "Convoy" not in str(order)]
        for power, lines in orders.items()
    }
    plain = {
        power: [order for order in lines if is_overland(order)] for power, lines in plain.items()
    }
    alike = [Rulebook.from_json({"preset": name, "6.E.7": "DATC"}) for name in preset_names()]
    outcomes = [adjudicate(position, plain, rules) for rules in alike]
    assert len({str(sorted(result_words(one).items())) for one in outcomes}) == 1
    assert all(one.next.units == outcomes[0].next.units for one in outcomes)


def is_overland(order: Order) -> bool:
    unit = getattr(order, "supported", None) or getattr(order, "unit", None)
    goal = getattr(order, "to", None)
    if unit is None or goal is None or unit.kind != "A":
        return True
    reach = STANDARD.board.army_reach[unit.location.index]
    return bool(reach >> goal.province.index & 1)


@quickly
@given(seeds, numbers, rulebooks)
def test_every_failure_has_a_reason_and_no_success_needs_one(
    seed: int, number: int, rules: Rulebook
):
    position, orders, _ = situation(seed, number)
    for result in adjudicate(position, orders, rules).results:
        plain = result.result[-1] in ("succeeds", "given", "available", "stands")
        assert (result.reason is None) == plain, result


@quickly
@given(seeds, numbers, rulebooks)
def test_every_unit_can_be_explained(seed: int, number: int, rules: Rulebook):
    position, orders, _ = situation(seed, number)
    outcome = adjudicate(position, orders, rules)
    for unit in position.units:
        chain = outcome.explain(unit)
        assert str(unit) in chain[0]
        assert len(chain) == len(set(chain)) <= len(position.units)


@quickly
@given(seeds, numbers, st.data())
def test_any_mixture_of_rules_gives_an_answer(seed: int, number: int, data: st.DataObject):
    position, orders, _ = situation(seed, number)
    issues = [issue for issue in DATC.to_json() if issue.startswith("4.A")]
    mixture = {issue: data.draw(st.sampled_from(sorted(issue_choices(issue)))) for issue in issues}
    outcome = adjudicate(position, orders, Rulebook.from_json(mixture))
    crowd = Counter(unit.location.province for unit in outcome.next.units)
    assert max(crowd.values(), default=0) == 1


@quickly
@given(seeds, numbers)
def test_what_a_unit_does_is_legal_alone_and_in_a_set(seed: int, number: int):
    position, orders, _ = situation(seed, number)
    for power, lines in orders.items():
        assert all(illegality(order, position, power) is None for order in lines)


def steps(position: Position) -> Iterator[tuple[Unit, Location]]:
    """Every step of every unit."""
    for unit in position.units:
        for to in STANDARD.board.steps(unit.kind, unit.location):
            yield unit, to


@quickly
@given(seeds, numbers, rulebooks)
def test_an_order_that_is_plain_at_a_look_is_legal_by_every_rule(
    seed: int, number: int, rules: Rulebook
):
    """Orders of another position are given too, most of them impossible in this one."""
    position, orders, rng = situation(seed, number)
    strange = random_orders(random_position(rng, number), rng)
    plain = 0
    given = [(power, order) for power, own in orders.items() for order in own]
    given += [(power, order) for power, own in strange.items() for order in own]
    given += [(unit.power, Support(unit, unit, to)) for unit, to in steps(position)]
    for power, order in given:
        if is_plain(order, position, power):
            plain += 1
            assert by_the_rules(order, position, power, rules) is None, str(order)
            lasts = plainness(order, position.layout, position.variant.board, power) == LASTING
            assert lasts is is_local(order, position.variant.board), str(order)
    assert plain >= sum(isinstance(o, Hold) for own in orders.values() for o in own)


@quickly
@given(seeds, numbers, rulebooks)
def test_orders_to_equal_units_are_as_good_as_orders_to_the_same(
    seed: int, number: int, rules: Rulebook
):
    position, orders, _ = situation(seed, number)
    again = Position.from_state(STANDARD, position.to_state())
    assert not {id(unit) for unit in again.units} & {id(unit) for unit in position.units}
    one, other = adjudicate(position, orders, rules), adjudicate(again, orders, rules)
    assert one.next.to_state() == other.next.to_state()
    assert [result[:4] for result in one.results] == [result[:4] for result in other.results]


@quickly
@given(seeds, numbers, rulebooks)
def test_the_words_are_those_of_the_results(seed: int, number: int, rules: Rulebook):
    position, orders, rng = situation(seed, number)
    wrong = random_orders(random_position(rng, number), rng)
    mixed = {power: [*lines, *wrong.get(power, [])] for power, lines in orders.items()}
    outcome = adjudicate(position, mixed, rules)
    assert outcome.words == tuple(result.result for result in outcome.results)


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_of_random_orders_runs_to_its_end(seed: int):
    rng = Random(seed)
    position = Position.start(STANDARD)
    for _ in range(40):
        orders = random_orders(position, rng) if position.phase.step == "M" else {}
        outcome = adjudicate(position, orders)
        assert outcome.next.phase > position.phase
        position = outcome.next


NAMED_POWERS = {"colonial", "1900"}
"""Variants in which a rule names a power, so that not all powers are alike."""


@times(0.4)
@given(seeds, st.sampled_from(variant_names()), st.sampled_from("SF"), rulebooks)
def test_in_every_variant_units_last_and_neither_lines_nor_names_of_powers_matter(
    seed: int, name: str, season: str, rules: Rulebook
):
    rng, variant = Random(seed), load_variant(name)
    phase = Phase.parse(f"{season}{variant.first_phase.year}M")
    crowd = crowd_together(variant, min(10, len(variant.board.provinces) - 3), rng)
    position = Position(variant.at(phase), phase, crowd.units)
    lines = as_text(orders_of_variant(position, rng, rules))
    outcome = adjudicate(position, lines, rules)

    after, left = outcome.next, Counter(unit.at for unit in outcome.next.units)
    assert max(left.values()) == 1
    destroyed = sum("destroyed" in result.result for result in outcome.results)
    assert len(after.units) + len(after.dislodged) + destroyed == len(position.units)
    places = [after[place] for one in after.dislodged for place in one.retreats]
    assert not any(places)
    assert all(one.retreats for one in after.dislodged)

    shuffled = {power: rng.sample(own, len(own)) for power, own in reversed(lines.items())}
    assert result_words(adjudicate(position, shuffled, rules)) == result_words(outcome)
    if name not in NAMED_POWERS:
        new = dict(
            zip(variant.powers, rng.sample(variant.powers, len(variant.powers)), strict=True)
        )
        units = tuple(Unit(unit.kind, unit.location, new[unit.power]) for unit in position.units)
        renamed = {new[power]: own for power, own in lines.items()}
        other = adjudicate(Position(position.variant, phase, units), renamed, rules)
        told = Counter((new[one.power], *one[1:]) for one in outcome.results)
        assert Counter((one.power, *one[1:]) for one in other.results) == told


def as_text(orders: Orders) -> dict[str, list[str]]:
    return {power: list(map(str, own)) for power, own in orders.items()}
