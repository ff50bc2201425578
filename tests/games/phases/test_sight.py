"""Fog of War, without a database: what a power sees of a board, of results, of its orders."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks.variant_games import play_on
from games.queries import board
from games.queries.access import sight
from judge import DATC, load_variant

RULES = board.rulebook_of("DATC")
START = board.first_state("standard")


def state(phase: str = "S1901M", **units: list[str]) -> dict[str, Any]:
    return {"phase": phase, "units": units, "centers": {}, "dislodged": []}


def read(place: dict[str, Any], power: str, *lines: str) -> list[tuple[str, str]]:
    """Each order as understood, and what is wrong with it."""
    found = sight.read_orders("standard", place, power, lines, RULES)
    return [(str(one.order), one.problem.sentence if one.problem else "") for one in found]


# --- what is in sight -----------------------------------------------------------------------


def test_a_power_sees_its_provinces_and_their_neighbours() -> None:
    seen = sight.sight("standard", state(France=["A Burgundy"]), "France")
    assert seen == {
        *("Burgundy", "Paris", "Picardy", "Belgium", "Ruhr", "Munich", "Marseilles", "Gascony")
    }


def test_a_fleet_sees_inland_and_an_army_out_to_sea() -> None:
    assert "Paris" in sight.sight("standard", state(France=["F Brest"]), "France")
    assert "English Channel" in sight.sight("standard", state(France=["A Brest"]), "France")


def test_either_coast_of_a_province_sees_all_around_it() -> None:
    for coast in ("nc", "sc"):
        place = state(France=[f"F Spain({coast})"])
        seen = sight.sight("standard", place, "France")
        assert {"Gascony", "Gulf of Lyon", "Portugal"} <= seen


def test_a_centre_sees_without_a_unit() -> None:
    place = {**state(Germany=["A Munich"]), "centers": {"France": ["Paris"]}}
    assert "Burgundy" in sight.sight("standard", place, "France")
    assert "Munich" not in sight.sight("standard", place, "France")


def test_a_dislodged_unit_still_sees() -> None:
    gone = {"power": "Austria", "unit": "A Vienna", "retreats": ["Bohemia"]}
    place = {**state("S1901R", Russia=["A Vienna"]), "dislodged": [gone]}
    assert "Bohemia" in sight.sight("standard", place, "Austria")


def test_where_nothing_is_left_nothing_is_seen() -> None:
    assert sight.sight("standard", state(France=["A Paris"]), "Italy") == frozenset()
    assert sight.state_seen("standard", state(France=["A Paris"]), "Italy")["units"] == {}


def test_ice_hides_nothing() -> None:
    """Loeb9's Arctic Ocean freezes in fall; whoever borders on it sees it as before."""
    for phase in ("S1901M", "F1901M"):
        place = {**state(phase, Norway=["F Barents Sea"])}
        assert "Arctic Ocean" in sight.sight("loeb9", place, "Norway")


def test_a_state_keeps_what_is_seen_and_nothing_else() -> None:
    gone = [
        {"power": "Austria", "unit": "A Vienna", "retreats": ["Bohemia"]},
        {"power": "Russia", "unit": "A Moscow", "retreats": ["St Petersburg"]},
    ]
    place = {
        **state("F1901R", France=["A Tyrolia"], Germany=["A Munich", "A Berlin"]),
        "centers": {"Germany": ["Munich", "Berlin"], "Austria": ["Vienna"]},
        "dislodged": gone,
    }
    seen = sight.state_seen("standard", place, "France")
    assert seen["units"] == {"France": ["A Tyrolia"], "Germany": ["A Munich"]}
    assert seen["centers"] == {"Germany": ["Munich"], "Austria": ["Vienna"]}
    assert seen["dislodged"] == [{**gone[0], "retreats": []}]


# --- how orders are read --------------------------------------------------------------------


def test_an_order_for_what_is_out_of_sight_is_read_alike_whether_it_is_there_or_not() -> None:
    """Whatever stands in the fog, the answer is the same, word for word."""
    lines = [
        "A Mun S A War - Gal",
        "A Mun S A Ber - Kie",
        "A Mun S Lvn",
        "F Nth C A Bel - Nwy",
        "A Mun S F Ber",
        "F Nth S F Nrg - Lon",
        "A Mun S A Brlin - Kiel",
        "A Mun - Stp via convoy",
    ]
    hidden = [
        {},
        {"Russia": ["A Warsaw", "A Livonia"], "France": ["A Portugal", "F Barents Sea"]},
        {"Italy": ["A Moscow"], "France": ["F Livonia", "A Warsaw"]},
    ]
    answers = {
        str(read(state(Germany=["A Munich", "F North Sea"], **units), "Germany", *lines))
        for units in hidden
    }
    assert len(answers) == 1


def test_a_unit_out_of_sight_can_be_supported_and_convoyed() -> None:
    place = state(Germany=["A Munich", "F Baltic Sea"])
    assert read(place, "Germany", "A Mun S A Gal - Boh") == [
        ("A Munich Supports A Galicia - Bohemia", "")
    ]
    assert read(place, "Germany", "F Bal S F Ska - Den") == [
        ("F Baltic Sea Supports F Skagerrak - Denmark", "")
    ]
    place = state(England=["F Mid-Atlantic Ocean"], Italy=["F Western Mediterranean"])
    [(order, wrong)] = read(place, "England", "F Mao C A Tun - Bre")
    assert (order, wrong) == ("F Mid-Atlantic Ocean Convoys A Tunis - Brest", "")


def test_a_unit_that_is_seen_not_to_be_there_is_refused() -> None:
    [(_, wrong)] = read(state(Germany=["A Munich"]), "Germany", "A Mun S A Boh - Tyr")
    assert wrong == "There is no unit in Bohemia to support."
    [(_, wrong)] = read(state(Germany=["F Baltic Sea"]), "Germany", "F Bal S F GoB - Swe")
    assert wrong == "There is no unit in Gulf of Bothnia to support."


def test_nobody_reads_that_a_province_out_of_sight_is_empty() -> None:
    for hidden in ([], ["A Paris"]):
        place = state(Germany=["A Berlin"], France=hidden)
        [(_, wrong)] = read(place, "Germany", "A Par - Bur")
        assert wrong == "You have no unit in Paris."
        [(_, wrong)] = read(place, "Germany", "A Mun - Bur")
        assert wrong == "There is no unit in Munich."


def test_no_suggestion_names_what_is_out_of_sight() -> None:
    """Where all is seen, "F Tyr" is asked about when a fleet is in the Tyrrhenian Sea."""
    line = "F Rom S F Tyr"
    near = state(Italy=["F Rome"], France=["F Tyrrhenian Sea"])
    far = state(Italy=["F Rome"], France=["F Baltic Sea"])
    assert read(near, "Italy", line) != read(far, "Italy", line)
    unseen = state(Italy=["A Venice"], France=["F Tyrrhenian Sea"])
    nothing = state(Italy=["A Venice"])
    line = "A Ven S F Tyr - Adr"
    assert read(unseen, "Italy", line) == read(nothing, "Italy", line)


# --- what is read of results ----------------------------------------------------------------


def seen_results(
    before: dict[str, Any], orders: dict[str, list[str]], power: str
) -> list[tuple[str | None, list[str], str]]:
    rules = board.rulebook_of("DATC")
    told = sight.as_told("standard", rules, before, orders)
    done = board.adjudicate_orders(variant="standard", rules="DATC", state=before, orders=told)
    found = sight.results_seen("standard", done.results, before, done.next, power)
    return [(one["order"], list(one["result"]), one["reason"] or "") for one in found]


def test_where_a_unit_came_from_out_of_sight_nobody_reads() -> None:
    before = state(Germany=["A Munich"], Austria=["A Vienna", "A Bohemia"])
    orders = {"Austria": ["A Vie - Tyr", "A Boh H"], "Germany": ["A Mun H"]}
    texts = [order for order, _, _ in seen_results(before, orders, "Germany")]
    assert texts == ["A Bohemia Holds", "A Munich Holds"]


def test_where_a_unit_went_out_of_sight_nobody_reads() -> None:
    before = state(Germany=["A Munich"], Austria=["A Bohemia"])
    orders = {"Austria": ["A Boh - Vie"], "Germany": ["A Mun H"]}
    assert [one[0] for one in seen_results(before, orders, "Germany")] == ["A Munich Holds"]


def test_a_reason_does_not_tell_where_a_unit_went_out_of_sight() -> None:
    before = state(
        Russia=["F North Sea"],
        England=["F Belgium", "F Yorkshire"],
        France=["F Holland", "A Burgundy"],
    )
    orders = {
        "Russia": ["F Nth - Edi"],
        "England": ["F Bel S F Yor - Nth", "F Yor - Nth"],
        "France": ["F Hol - Bel", "A Bur S F Hol - Bel"],
    }
    told = {order: reason for order, _, reason in seen_results(before, orders, "Russia")}
    assert told["F Belgium Supports F Yorkshire - North Sea"] == sight.NOT_SEEN
    assert "by F Holland - Belgium" in _reason_told_to("England", before, orders)


def _reason_told_to(power: str, before: Any, orders: Any) -> str:
    """What a power is told of why its own unit in Belgium was driven out."""
    told = seen_results(before, orders, power)
    return next(reason for order, _, reason in told if order.startswith("F Belgium"))


def test_an_attack_out_of_the_dark_has_no_name() -> None:
    before = state(Germany=["A Munich"], Austria=["A Vienna"])
    orders = {"Austria": ["A Vie - Tyr"], "Germany": ["A Mun - Tyr"]}
    assert seen_results(before, orders, "Germany") == [
        ("A Munich - Tyrolia", ["fails"], sight.NOT_SEEN)
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        {},
        {"Austria": ["A Galicia"]},
        {"Austria": ["A Vienna"]},
        {"Austria": ["A Galicia", "A Silesia"]},
    ],
)
@pytest.mark.parametrize("moves", [True, False])
def test_what_became_of_a_support_out_of_sight_is_not_told(
    hidden: dict[str, list[str]], moves: bool
) -> None:
    before = state(Germany=["A Munich"], **hidden)
    if sight.sight("standard", before, "Germany") & {"Galicia", "Vienna"}:
        pytest.fail("these are out of sight")
    orders = {"Germany": ["A Mun S A Gal - Boh"]}
    if moves and "A Galicia" in hidden.get("Austria", []):
        orders["Austria"] = ["A Gal - Boh"]
    told = [one for one in seen_results(before, orders, "Germany") if one[0].startswith("A Mun")]
    assert told == [("A Munich Supports A Galicia - Bohemia", [sight.UNTOLD], "")]


def test_what_the_receipt_said_is_what_is_adjudicated() -> None:
    """The second order would count if the judge looked into the dark for the first."""
    before = state(Germany=["A Munich"])
    orders = {"Germany": ["A Mun S A Gal - Boh", "A Mun - Tyr"]}
    told = sight.as_told("standard", RULES, before, orders)
    assert told == {"Germany": ("A Munich Supports A Galicia - Bohemia",)}


def test_a_waived_build_of_another_is_not_told() -> None:
    before = {
        **state("W1901A", Germany=["A Munich"], France=["A Burgundy"]),
        "centers": {"France": ["Paris", "Brest"], "Germany": ["Munich"]},
    }
    assert seen_results(before, {"France": ["Waive"]}, "Germany") == []


def test_of_a_removed_unit_nobody_else_reads_how_far_its_centres_are() -> None:
    before = {
        **state("W1901A", Germany=["A Burgundy", "A Ukraine"], France=["A Paris"]),
        "centers": {"France": ["Paris"], "Germany": ["Warsaw"]},
    }
    told = {power: seen_results(before, {}, power)[0] for power in ("France", "Germany")}
    assert told["France"] == ("Disband A Burgundy", ["succeeds"], sight.NOT_SEEN)
    assert "steps from the nearest centre" in told["Germany"][2]


def test_of_a_convoy_nobody_else_reads_that_no_fleet_anywhere_took_part() -> None:
    before = state(Austria=["A Bulgaria"], Russia=["A Rumania"], Turkey=["F Black Sea"])
    orders = {"Russia": ["A Rum - Bul via convoy"], "Austria": ["A Bul H"], "Turkey": ["F Bla H"]}
    told = {order: reason for order, _, reason in seen_results(before, orders, "Austria")}
    assert sight.NOT_SEEN in told.values()
    assert not [reason for reason in told.values() if "fleet" in reason]


@pytest.mark.parametrize("variant", ["standard", "colonial", "ancient_med", "loeb9"])
def test_nothing_told_in_random_games_names_a_unit_out_of_sight(variant: str) -> None:
    """Every unit that a result names stood where the power could see it, or is its own."""
    for seed in range(2):
        rng = random.Random(seed)
        for position, orders, outcome in play_on(load_variant(variant), rng, phases=25):
            before, after = position.to_state(), outcome.next.to_state()
            lines = {power: [str(one) for one in given] for power, given in orders.items()}
            told = sight.as_told(variant, RULES, before, lines)
            done = board.adjudicate_orders(variant=variant, rules="DATC", state=before, orders=told)
            assert done.next == after, "what is told of orders changes nothing"
            for power in position.variant.powers:
                _check(variant, done.results, before, after, power, told.get(power, ()))


def _check(
    variant: str, results: Any, before: Any, after: Any, power: str, own: tuple[str, ...]
) -> None:
    seen_before = sight.state_seen(variant, before, power)
    seen_after = sight.state_seen(variant, after, power)
    known = {
        unit
        for place in (seen_before, seen_after)
        for units in (*place["units"].values(), [one["unit"] for one in place["dislodged"]])
        for unit in units
    }
    everything = {
        unit
        for place in (before, after)
        for units in (*place["units"].values(), [one["unit"] for one in place["dislodged"]])
        for unit in units
    }
    for one in sight.results_seen(variant, results, before, after, power):
        mine = one["power"] == power
        said = " ".join([one["reason"] or "", "" if mine else one["order"] or ""])
        for unit in everything - known:
            assert f"{unit} " not in f"{said} ".replace(".", " "), (power, unit, one)
        if mine and one["text"]:
            assert one["order"] in own


def test_the_rules_of_reading_are_those_of_the_judge_where_all_is_seen() -> None:
    """With a unit in every corner, fog changes nothing in how orders are read."""
    lines = ["A Par - Bur", "A Par S A Mar - Bur", "F Bre - Mid", "A Mar S A Par - Bur", "A Mun H"]
    plain = board.read_orders(board.position_of("standard", START), "France", lines, DATC)
    fog = sight.read_orders("standard", START, "France", lines, DATC)
    assert [str(one.order) for one in plain] == [str(one.order) for one in fog]
