"""Every map that there is: its borders, coasts, starts and names, and games played on it.

The maps were put together from facts in several sources. What is checked here is what no play-test
finds in time: a province that nobody reaches, a start that cannot stand, a name with two meanings.
`benchmarks/variant_games.py` plays hundreds of games of each under every preset; here are a few.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given as given_some
from hypothesis import settings
from hypothesis import strategies as st

from benchmarks.variant_games import play_on, random_orders
from judge import (
    DATC,
    Board,
    Permit,
    Position,
    Ride,
    Variant,
    adjudicate,
    legal_orders,
    load_variant,
    read_orders,
    variant_names,
)
from judge.text.reader_cache import line_reader_of

VARIANTS = [load_variant(name) for name in variant_names()]


def names(variant: Variant) -> str:
    return variant.name


def on_board(board: Board, variant: Variant) -> set[str]:
    """The provinces that some unit reaches from the starts, by land, by water or by convoy."""
    reached = {unit.at for unit in variant.by_name[variant.powers[0]].start_units}
    reached |= {center.index for power in variant.by_name.values() for center in power.home_centers}
    fresh = set(reached)
    while fresh:
        fresh = {other for one in fresh for other in board.neighbours[one]} - reached
        reached |= fresh
    return {board.provinces[index].name for index in reached}


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_every_province_can_be_reached(variant: Variant):
    board = variant.board
    lost = {p.name for p in board.provinces if p.kind != "impassable"} - on_board(board, variant)
    assert not lost


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_coasts_and_kinds_agree_with_the_borders(variant: Variant):
    board = variant.board
    for border in board.borders:
        for end in (border.one, border.other):
            at = board.place(end.replace("/", "(") + ")" if "/" in end else end)
            kind = at.province.kind
            assert kind != "impassable", f"{border} leads to {at}"
            assert "A" not in border.passable or kind != "sea", f"an army at sea: {border}"
            assert "F" not in border.passable or kind != "land", f"a fleet inland: {border}"
            if at.province.coasts and border.passable == "F":
                assert at.coast, f"{border} must name the coast of {at}"
    for province in board.provinces:
        wet = bool(board.shores[province.index])
        assert wet == (province.kind in ("coast", "sea")), province.name
        for coast in province.coasts:
            assert board.fleet_reach[board.location(province, coast).index], f"{province}({coast})"


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_each_border_is_there_once(variant: Variant):
    pairs = [
        (*sorted((b.one, b.other)), kind) for b in variant.board.borders for kind in b.passable
    ]
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_the_start_stands_and_can_be_won(variant: Variant):
    position = Position.start(variant)
    assert Position.from_state(variant, position.to_state()) == position
    assert all(center.center for power in variant.by_name.values() for center in power.home_centers)
    most = max(position.counting.values())
    assert most < variant.victory_centers <= len(variant.board.centers)
    assert variant.title


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_abbreviations_mean_one_province_each(variant: Variant):
    gazetteer = line_reader_of(variant).gazetteer
    printed = [gazetteer.abbreviation(p.index) for p in variant.board.provinces]
    assert len(set(printed)) == len(printed)
    for province in variant.board.provinces:
        found = gazetteer.find(gazetteer.abbreviation(province.index).casefold())
        assert found is not None
        assert found.provinces == (province.index,)


@pytest.mark.parametrize("variant", VARIANTS, ids=names)
def test_random_games_come_to_no_impossible_state(variant: Variant):
    """The judge checks every phase itself (`judge.soundness`); canonical text reads back."""
    seen = 0
    for position, orders, outcome in play_on(variant, Random(16), phases=8):
        seen += 1
        assert Position.from_state(position.variant, outcome.next.to_state()) == outcome.next
        for power, given in orders.items():
            readings = read_orders(position, power, [str(order) for order in given])
            assert [reading.order for reading in readings] == given
    assert seen == 8


@settings(max_examples=30)
@given_some(st.sampled_from(VARIANTS), st.integers(0, 1000), st.integers(1, 8))
def test_every_legal_order_of_every_map_reads_back(variant: Variant, seed: int, phases: int):
    """Whatever `legal_orders` offers, the order's own text is read as that order."""
    rng = Random(seed)
    *_, (position, _, _) = play_on(variant, rng, phases=phases)
    for power, by_unit in legal_orders(position).items():
        legal = [order for orders in by_unit.values() for order in orders]
        for order in rng.sample(legal, min(len(legal), 40)):
            [reading] = read_orders(position, power, [str(order)])
            assert (reading.order, reading.problem) == (order, None)


def test_random_games_of_colonial_have_trains_and_permissions():
    """Around the line and the canal, where all that is peculiar to this map meets."""
    kinds: set[type] = set()
    ends: set[str] = set()
    rng = Random(7)
    for _ in range(60):
        position = crowded_colonial(rng)
        orders = random_orders(position, rng, DATC)
        outcome = adjudicate(position, orders)
        kinds |= {type(order) for given in orders.values() for order in given}
        ends |= {one.result[0] for one in outcome.results if one.ends}
        for one in outcome.results:
            worked = one.result[-1] in ("succeeds", "given", "available", "stands")
            assert worked or one.reason, one
        for unit in position.units:
            assert list(outcome.explain(unit))
    assert {Ride, Permit} <= kinds
    assert {"succeeds", "stops", "fails"} <= ends


def crowded_colonial(rng: Random) -> Position:
    """Units of three powers along the railway and around the canal."""
    colonial = load_variant("colonial")
    board = colonial.board
    line = ("Moscow", "Perm", "Omsk", "Krasnoyarsk", "Irkutsk", "Vladivostok", "Akmolinsk")
    beside = ("Orenburg", "Semipalatinsk", "Mongolia", "Manchuria", "Seoul", "Odessa", "Baku")
    fleets = ("Mediterranean Sea", "Red Sea", "Okhotsk Sea", "Gulf of Aden")
    units = [("A", name) for name in rng.sample((*line, *beside), 9)]
    units += [("F", name) for name in rng.sample(fleets, 3)]
    units += [("A", name) for name in rng.sample(("Egypt", "Syria", "Sudan", "Mecca"), 3)]
    state: dict[str, list[str]] = {}
    for kind, name in units:
        power = rng.choice(("Russia", "Russia", "China", "Turkey"))
        state.setdefault(power, []).append(f"{kind} {board.province(name).name}")
    centers = {"Russia": rng.sample(["Moscow", "Omsk", "Vladivostok"], 2)}
    return Position.from_state(colonial, {"phase": "S1870M", "units": state, "centers": centers})
