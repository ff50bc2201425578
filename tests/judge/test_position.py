from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from itertools import islice, permutations

import pytest

from judge import Position, PositionError, load_variant
from judge.board import MOST_LISTS
from judge.once import once
from tests.judge.table import stand
from tests.rows import each_row

STANDARD = load_variant("standard")


def test_the_game_starts_with_22_units_on_22_centers():
    position = Position.start(STANDARD)
    assert (len(position.units), len(position.centers)) == (22, 22)
    assert [str(unit) for unit in position.units_of("Russia")] == [
        "A Moscow",
        "A Warsaw",
        "F Sevastopol",
        "F St Petersburg(sc)",
    ]
    assert position.centers_of("England") == ("Edinburgh", "Liverpool", "London")
    assert position.powers_to_order() == STANDARD.powers


def test_a_state_reads_back_as_the_same_position():
    position = Position.start(STANDARD)
    again = Position.from_state(STANDARD, position.to_state())
    assert again.to_state() == position.to_state()
    assert set(again.units) == set(position.units)


def test_a_retreat_state_keeps_the_dislodged_and_where_they_may_go():
    position = stand(
        {"Italy": ["A Vienna"]},
        phase="F1901R",
        dislodged=[{"power": "Austria", "unit": "A Vienna", "retreats": ["Tyrolia", "Bohemia"]}],
    )
    assert position.to_state()["dislodged"] == [
        {"power": "Austria", "unit": "A Vienna", "retreats": ["Tyrolia", "Bohemia"]}
    ]
    assert [str(unit) for unit in position.orderable("Austria")] == ["A Vienna"]
    assert position.powers_to_order() == ("Austria",)


def test_abbreviations_are_read_and_full_names_written():
    position = stand({"russia": ["f stp/sc", "A mos"]})
    assert position.to_state()["units"] == {"Russia": ["A Moscow", "F St Petersburg(sc)"]}


def test_a_coast_that_an_army_needs_not_is_dropped():
    assert str(stand({"France": ["A Spain(nc)"]}).units[0]) == "A Spain"


@each_row(
    ("state", "sentence"),
    [
        ({}, "The phase is missing."),
        ({"phase": "X1901M"}, "not a phase"),
        ({"phase": "S1901M", "units": {"Rome": ["A Rome"]}}, "no power “Rome”"),
        ({"phase": "S1901M", "units": {"Italy": ["A Rome", "F Rome"]}}, "cannot both stand"),
        ({"phase": "S1901M", "units": {"Italy": ["A Atlantis"]}}, "no place “Atlantis”"),
        ({"phase": "S1901M", "units": {"Italy": ["Rome"]}}, "begin with A or F"),
        ({"phase": "S1901M", "units": {"Italy": ["A Ionian Sea"]}}, "army cannot stand in Ionian"),
        ({"phase": "S1901M", "units": {"Italy": ["F Munich"]}}, "fleet cannot stand in Munich"),
        ({"phase": "S1901M", "units": {"Italy": ["F Bulgaria"]}}, "needs its coast: ec or sc"),
        ({"phase": "S1901M", "units": {"Italy": "A Rome"}}, "must be a list"),
        ({"phase": "S1901M", "units": ["A Rome"]}, "must be an object"),
        ({"phase": "W1901A", "centers": {"Italy": ["Tuscany"]}}, "not a supply centre"),
        (
            {"phase": "W1901A", "centers": {"Italy": ["Rome"], "France": ["Rome"]}},
            "belongs to Italy and to France",
        ),
        ({"phase": "S1901M", "dislodged": [{"power": "Italy", "unit": "A Rome"}]}, "not a retreat"),
        ({"phase": "S1901R", "dislodged": [{"power": "Italy"}]}, "needs power, unit and retreats"),
        (
            {"phase": "S1901R", "dislodged": [{"power": "Italy", "unit": "A Rome"}]},
            "needs power, unit and retreats",
        ),
        (
            {
                "phase": "S1901R",
                "dislodged": [{"power": "Italy", "unit": "A Rome", "retreats": ["Moscow"]}],
            },
            "A Rome cannot retreat to Moscow, which it cannot reach",
        ),
        (
            {
                "phase": "S1901R",
                "units": {"Austria": ["A Venice"]},
                "dislodged": [{"power": "Italy", "unit": "A Rome", "retreats": ["Venice"]}],
            },
            "A Rome cannot retreat to Venice, where A Venice stands.",
        ),
        ({"phase": "S1901R", "dislodged": {}}, "must be a list"),
        ({"phase": "S1901M", "units": []}, "must be an object"),
        (
            {"phase": "S1901M", "units": {"Italy": ["A Rome", "A Rome"]}},
            "cannot both stand in Rome",
        ),
        ({"phase": None}, "The phase is missing."),
    ],
)
def test_a_state_that_cannot_be_is_refused_in_one_sentence(state: dict, sentence: str):
    with pytest.raises(PositionError, match=sentence):
        Position.from_state(STANDARD, state)


def test_a_list_of_centers_that_was_read_before_is_compared_with_the_others_again():
    for owner in ("Italy", "France"):
        assert Position.from_state(STANDARD, winter({owner: ["Rome"]})).holdings[owner] == 1
    with pytest.raises(PositionError, match="Rome belongs to Italy and to France"):
        Position.from_state(STANDARD, winter({"Italy": ["Rome"], "France": ["Rome"]}))
    twice = {"Italy": ["Rome", "Rome"], "ITALY": ["Rome"]}
    assert Position.from_state(STANDARD, winter(twice)).centers_of("Italy") == ("Rome",)


def test_lists_of_centers_are_remembered_as_they_are_printed_and_only_so_many():
    variant = replace(STANDARD)
    for texts in (["rom"], ["Rome "], ["Rome"] * 35, [["Rome"]], ["Rome"]):
        with suppress(PositionError):
            Position.from_state(variant, winter({"Italy": texts}))
    assert [*variant.texts["Italy"].centers] == [("Rome",)]
    for texts in islice(permutations(variant.board.center_by_name, 3), MOST_LISTS + 5):
        Position.from_state(variant, winter({"Italy": [*texts]}))
        assert texts in variant.texts["Italy"].centers
    assert len(variant.texts["Italy"].centers) == 6


def test_who_owned_what_in_the_state_before_is_taken_over_only_from_equal_lists():
    first = {"Italy": ["Rome", "Naples"], "France": ["Paris"]}
    read = Position.from_state(STANDARD, winter(first))
    assert Position.from_state(STANDARD, winter(deepcopy(first))).centers is read.centers
    first["Italy"].remove("Rome")
    assert Position.from_state(STANDARD, winter(first)).centers_of("Italy") == ("Naples",)
    swapped = {"France": ["Naples"], "Italy": ["Paris"]}
    assert Position.from_state(STANDARD, winter(swapped)).centers_of("Italy") == ("Paris",)
    many = Position.from_state(STANDARD, winter({"Italy": ["Rome"] * 35}))
    assert many.holdings["Italy"] == len(STANDARD.last_ownership[0].lists) - 1 == 1


def winter(centers: dict) -> dict:
    return {"phase": "W1901A", "centers": centers}


def test_builds_are_limited_by_the_free_home_centers():
    centers = {"France": ["Paris", "Brest", "Marseilles", "Spain", "Portugal"]}
    position = stand({"France": ["A Paris", "A Brest"]}, phase="W1901A", centers=centers)
    assert position.adjustment("France") == 1
    assert [str(site) for site in position.build_sites("France")] == ["Marseilles"]


def test_too_many_units_are_a_negative_adjustment():
    position = stand(
        {"France": ["A Gascony", "A Burgundy"]}, phase="W1901A", centers={"France": ["Paris"]}
    )
    assert position.adjustment("France") == -1
    assert position.powers_to_order() == ("France",)


def test_who_can_neither_build_nor_must_disband_has_nothing_to_order():
    position = stand({}, phase="W1901A", centers={"France": ["Spain"]})
    assert position.adjustment("France") == 0
    assert position.powers_to_order() == ()


def test_what_is_worked_out_once_is_kept_and_belongs_to_its_object():
    asked = []

    class Thinker:
        @once
        def answer(self):
            """The answer."""
            asked.append(self)
            return len(asked)

    one, other = Thinker(), Thinker()
    assert (one.answer, one.answer, other.answer, one.answer) == (1, 1, 2, 1)
    assert asked == [one, other]
    assert Thinker.answer.__doc__ == "The answer."
