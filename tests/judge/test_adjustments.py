from __future__ import annotations

import pytest

from judge import Disband, Rulebook, adjudicate, parse_order
from tests.judge.table import play, stand, units, words


def removed(outcome) -> list[str]:
    return [str(result.order) for result in outcome.results if result.automatic]


def winter(units_: dict, centers: dict, orders: dict | None = None, rules: Rulebook | None = None):
    position = stand(units_, phase="W1901A", centers=centers)
    return play(position, orders or {}, rules or Rulebook())


def test_builds_stand_on_the_board_in_spring():
    outcome = winter(
        {"Russia": ["A Moscow"]},
        {"Russia": ["Moscow", "St Petersburg", "Sevastopol"]},
        {"Russia": ["Build F St Petersburg(nc)", "Build A Sevastopol"]},
    )
    assert units(outcome.next) == [
        "Russia: A Moscow",
        "Russia: A Sevastopol",
        "Russia: F St Petersburg(nc)",
    ]
    assert str(outcome.next.phase) == "S1902M"


def test_builds_that_are_not_ordered_are_declined():
    outcome = winter({}, {"Russia": ["Moscow", "Sevastopol"]}, {"Russia": ["Build A Moscow"]})
    assert units(outcome.next) == ["Russia: A Moscow"]


def test_a_waived_build_uses_up_a_build():
    outcome = winter({}, {"Russia": ["Moscow"]}, {"Russia": ["Waive", "Build A Moscow"]})
    assert words(outcome) == {"Waive": "succeeds", "Build A Moscow": "illegal"}
    assert units(outcome.next) == []


@pytest.mark.parametrize(
    ("choice", "built"),
    [("a", []), ("b", ["Germany: A Kiel"]), ("c", ["Germany: A Munich"])],
)
def test_of_too_many_builds_the_rule_chooses(choice: str, built: list[str]):
    rules = Rulebook.from_json({"4.D.4": choice})
    outcome = winter(
        {"Germany": ["A Prussia"]},
        {"Germany": ["Kiel", "Munich"]},
        {"Germany": ["Build A Kiel", "Build A Munich"]},
        rules,
    )
    assert units(outcome.next) == sorted([*built, "Germany: A Prussia"])


@pytest.mark.parametrize(
    ("choice", "built"),
    [("a", []), ("b", ["Germany: A Kiel"]), ("c", ["Germany: F Kiel"])],
)
def test_of_two_builds_in_one_province_the_rule_chooses(choice: str, built: list[str]):
    rules = Rulebook.from_json({"4.D.5": choice})
    orders = {"Germany": ["Build A Kiel", "Build F Kiel"]}
    outcome = winter({}, {"Germany": ["Kiel", "Munich"]}, orders, rules)
    assert units(outcome.next) == built


@pytest.mark.parametrize(
    ("choice", "gone"),
    [("a", "France: A Munich"), ("b", "France: A Paris"), ("c", "France: A Burgundy")],
)
def test_of_too_many_disbands_the_rule_chooses(choice: str, gone: str):
    rules = Rulebook.from_json({"4.D.6": choice})
    standing = {"France": ["A Paris", "A Burgundy", "A Munich"]}
    orders = {"France": ["Disband A Paris", "Disband A Burgundy"]}
    outcome = winter(standing, {"France": ["Paris", "Marseilles"]}, orders, rules)
    everybody = {f"France: {unit}" for unit in standing["France"]}
    assert everybody - set(units(outcome.next)) == {gone}


def test_builds_may_be_made_compulsory():
    rules = Rulebook.from_json({"4.D.7": "b"})
    outcome = winter({}, {"Russia": ["Moscow"]}, {"Russia": ["Waive", "Build A Moscow"]}, rules)
    assert words(outcome) == {"Waive": "illegal", "Build A Moscow": "succeeds"}


def test_a_power_without_centers_loses_all_units():
    outcome = winter({"Turkey": ["A Ankara", "F Black Sea"]}, {"Russia": ["Ankara"]})
    assert removed(outcome) == ["Disband F Black Sea", "Disband A Ankara"]


def test_the_farthest_from_owned_centers_goes_first():
    outcome = winter({"Italy": ["A Warsaw", "A Tuscany"]}, {"Italy": ["Warsaw"]})
    assert removed(outcome) == ["Disband A Tuscany"]


@pytest.mark.parametrize("rule", ["1971/1982", "2000", "DPTG"])
def test_the_old_rules_measure_from_home(rule: str):
    rules = Rulebook.from_json({"4.D.8": rule})
    outcome = winter({"Italy": ["A Warsaw", "A Tuscany"]}, {"Italy": ["Warsaw"]}, rules=rules)
    assert removed(outcome) == ["Disband A Warsaw"]


def test_a_fleet_goes_before_an_army_as_far_away():
    outcome = winter({"Russia": ["A Ukraine", "F Livonia"]}, {"Russia": ["Moscow"]})
    assert removed(outcome) == ["Disband F Livonia"]


def test_the_dptg_sorts_gulfs_and_saints_by_their_names():
    standing = {"Russia": ["F Gulf of Bothnia", "F Baltic Sea"]}
    centers = {"Russia": ["Sweden"]}
    home = Rulebook.from_json({"4.D.8": "DPTG"})
    assert removed(winter(standing, centers, rules=home)) == ["Disband F Baltic Sea"]


def test_missing_disbands_are_added_to_those_ordered():
    outcome = winter(
        {"France": ["A Paris", "F North Sea", "F English Channel"]},
        {"France": ["Paris"]},
        {"France": ["Disband F North Sea"]},
    )
    assert words(outcome) == {
        "Disband F North Sea": "succeeds",
        "Disband F English Channel": "succeeds",
    }
    assert units(outcome.next) == ["France: A Paris"]


def test_no_default_coast_puts_a_fleet_inland():
    rules = Rulebook.from_json({"4.B.7": "default"})
    outcome = winter({}, {"France": ["Paris"]}, {"France": ["Build F Paris"]}, rules)
    assert words(outcome) == {"Build F Paris": "illegal"}


def test_orders_given_as_values_are_told_as_text():
    position = stand({"France": ["A Paris"]}, phase="W1901A", centers={"Russia": ["Moscow"]})
    too_many, build = Disband(position.unit("A Paris")), parse_order("Build A Moscow")
    outcome = adjudicate(position, {"France": [too_many], "Russia": [build, build]})
    told = [(result.text, result.result) for result in outcome.results]
    built = [("Build A Moscow", ("succeeds",)), ("Build A Moscow", ("illegal",))]
    assert told == [("Disband A Paris", ("succeeds",)), *built]
