"""Order lines in a position: what is understood, what is asked back, and what counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.adjudicate import adjudicate
from judge.errors import PositionError
from judge.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.places import Location, UnitKind
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.shortcuts import AnswerMemory
from judge.text.interpret import Interpreter
from judge.text.parse import OrderParser
from judge.text.read import Reading, read_orders
from judge.text.reader_cache import LONGEST_LINE, MOST_ORDERS, line_reader_of
from judge.text.words import Wording, split_line
from judge.text.written import Piece, Written
from judge.units import Dislodged, Unit
from judge.variant_files import variant_names
from judge.variants import load_variant
from judge.wording import either
from tests.rows import each_row

STANDARD = load_variant("standard")
BOARD = STANDARD.board
START = Position.start(STANDARD)


def position(phase: str = "S1901M", **state: Any) -> Position:
    """A position from units written "England: F North Sea, A Yorkshire" and the like."""
    units = {key: value for key, value in state.items() if key in STANDARD.powers}
    rest = {key: state.get(key, {}) for key in ("centers",)}
    dislodged = state.get("dislodged", [])
    return Position.from_state(
        STANDARD, {"phase": phase, "units": units, "dislodged": dislodged, **rest}
    )


def read(
    where: Position, power: str, *lines: str, rules: Rulebook | None = None
) -> tuple[Reading, ...]:
    return read_orders(where, power, lines, rules or Rulebook())


def one(where: Position, power: str, line: str, rules: Rulebook | None = None) -> Reading:
    (reading,) = read(where, power, line, rules=rules)
    return reading


def followed(where: Position, power: str, line: str, rules: Rulebook | None = None) -> str:
    reading = one(where, power, line, rules)
    assert reading.problem is None, reading
    assert reading.counts
    return str(reading.order)


def refused(where: Position, power: str, line: str, rules: Rulebook | None = None) -> str:
    reading = one(where, power, line, rules)
    assert reading.problem is not None, reading
    assert not reading.counts
    return reading.problem.kind


def ordered(readings: tuple[Reading, ...]) -> list[str]:
    return [str(reading.order) for reading in readings if reading.counts]


# Lines.


def test_one_bad_line_never_costs_a_good_one():
    readings = read(START, "France", "A Par - Bur", "A Mra whistles", "???", "F Bre - Mao")
    assert ordered(readings) == ["A Paris - Burgundy", "F Brest - Mid-Atlantic Ocean"]
    assert [reading.line for reading in readings] == [0, 1, 3]


def test_several_orders_on_a_line_are_several_readings_of_that_line():
    readings = read(START, "France", "", "A Par - Bur; A Mar S A Par - Bur, F Bre - Mao")
    assert [(reading.line, reading.text) for reading in readings] == [
        (1, "A Par - Bur"),
        (1, "A Mar S A Par - Bur"),
        (1, "F Bre - Mao"),
    ]
    assert all(reading.counts for reading in readings)


def test_a_single_order_keeps_its_line_as_it_was_written():
    assert (
        one(START, "France", "  1) A Par – Bur (hopefully) ").text == "1) A Par – Bur (hopefully)"
    )


@each_row(
    "line",
    [
        "",
        " ",
        "France:",
        "FRANCE",
        "Orders for Spring 1901:",
        "S1901M",
        "Retreats:",
        "---",
        "Orders of France, S1901M",
        "Orders for Spring 1:",
        "Fall 12 retreats",
        "Moves for spring 3 BC",
        "S3BCM",
        "S1901",
        "F02, France",
        "French orders S1901",
    ],
)
def test_empty_lines_and_headings_give_no_reading(line):
    assert read(START, "France", line) == ()


@each_row(
    "line",
    [
        *("Brest builds a fleet", "Brest will build a fleet", "Brest builds F Brest"),
        *("Brest builds a fleet in Brest", "Brest: F", "Brest: build F"),
        *("Build me a fleet in Brest", "Please build me a fleet at Brest."),
    ],
)
def test_a_centre_may_be_said_to_build_a_unit(line):
    winter = position("W1901A", France=["A Bur"], centers={"France": ["Paris", "Brest"]})
    assert followed(winter, "France", line) == "Build F Brest"


@each_row(
    ("power", "line", "example"),
    [
        ("Vienna", "Army!", "Build A Vienna"),
        ("Vienna", "hmpf Vie", "Build A Vienna"),
        ("Paris", "Fleet", "Build A Paris"),
    ],
)
def test_the_example_of_a_build_is_one_that_the_power_can_make(power, line, example):
    reading = one(Position.start(load_variant("chaos")), power, line)
    assert f"write it like “{example}”" in reading.problem.sentence


@pytest.mark.parametrize("line", ["Build 2 armies in Paris", "build two armies: Paris please"])
def test_the_second_of_two_units_for_one_centre_is_refused_with_the_reason(line):
    winter = position("W1901A", France=["A Bur"], centers={"France": ["Paris", "Brest", "Spain"]})
    first, second = read(winter, "France", line)
    assert str(first.order) == str(second.order) == "Build A Paris"
    assert (first.counts, second.counts) == (True, False)


@pytest.mark.parametrize("line", ["First A Paris H", "Second, army Paris holds", "third: A Par H"])
def test_an_order_may_be_counted_in_words(line):
    assert followed(START, "France", line) == "A Paris Holds"


def test_a_small_number_alone_is_no_heading():
    assert one(START, "France", "3").problem


@each_row(
    "line",
    """
Hi Jim,
Hello everybody!
Dear GM,
Here are my orders:
These are my orders for Fall 1902
Thanks
Best regards, Ann
Sent from my iPhone
Sorry for the delay
""".strip().split("\n"),
)
def test_politeness_around_orders_gives_no_reading(line):
    assert read(START, "France", line) == ()


@pytest.mark.parametrize("line", ["Thanks A Par - Bur", "Hi Paris - Burgundy", "Here A Par H"])
def test_an_order_in_a_polite_line_is_read_or_asked_back(line):
    assert len(read(START, "France", line)) == 1


def test_a_quoted_line_is_not_followed():
    reading = one(START, "France", "> A Par - Bur")
    assert reading.order is None
    assert reading.problem is not None
    assert "quoted" in reading.problem.sentence


def test_a_line_for_another_power_is_not_followed():
    reading = one(START, "France", "Germany: A Par - Bur")
    assert reading.problem is not None
    assert reading.problem.sentence == "This is an order for Germany, and you play France."


def test_an_unknown_power_is_an_error_of_the_caller():
    with pytest.raises(PositionError, match=r"There is no power “Burgundy”.* Russia and Turkey"):
        read(START, "Burgundy", "A Par - Bur")


# The repairs of design section 3, each with its DATC case.


def test_6_b_1_a_fleet_that_can_reach_two_coasts_must_name_one():
    where = position(France=["F Portugal"])
    reading = one(where, "France", "F Portugal - Spain")
    assert reading.problem is not None
    assert reading.problem.kind == "illegal"
    assert "Spain(nc)" in reading.problem.sentence
    assert "Spain(sc)" in reading.problem.sentence


def test_6_b_2_the_only_coast_in_reach_is_understood():
    where = position(France=["F Gascony"])
    reading = one(where, "France", "F Gascony - Spain")
    assert str(reading.order) == "F Gascony - Spain(nc)"
    assert reading.note == "Taken as Spain(nc), the only coast F Gascony can reach."
    assert (
        refused(where, "France", "F Gascony - Spain", Rulebook.from_json({"4.B.2": "b"}))
        == "illegal"
    )


def test_6_b_3_an_impossible_coast_is_not_corrected():
    where = position(France=["F Gascony"])
    assert refused(where, "France", "F Gascony - Spain(sc)") == "illegal"
    corrected = Rulebook.from_json({"4.B.3": "a"})
    assert followed(where, "France", "F Gascony - Spain(sc)", corrected) == "F Gascony - Spain(nc)"


def test_4_b_1_a_default_coast_is_a_choice():
    where = position(France=["F Portugal"])
    rules = Rulebook.from_json({"4.B.1": "default"})
    assert followed(where, "France", "F Portugal - Spain", rules) == "F Portugal - Spain(nc)"


def test_6_b_7_and_6_b_8_a_support_may_leave_the_coast_out():
    where = position(France=["F Portugal"], Italy=["F Mid-Atlantic Ocean", "F Gascony"])
    text = "F Portugal Supports F Mid-Atlantic Ocean - Spain"
    assert followed(where, "France", text) == text
    where = position(France=["F Portugal", "F Gascony"])
    text = "F Portugal Supports F Gascony - Spain"
    assert followed(where, "France", text) == text


def test_6_b_9_a_coast_in_a_support_is_kept():
    where = position(France=["F Portugal", "F Mid-Atlantic Ocean"])
    text = "F Portugal Supports F Mid-Atlantic Ocean - Spain(nc)"
    assert followed(where, "France", text) == text
    without = "F Portugal Supports F Mid-Atlantic Ocean - Spain"
    assert followed(where, "France", text, Rulebook.named("DPTG")) == without


@pytest.mark.parametrize(
    "line", ["F Spain(nc) - Western Med", "F Spain(sc) - Western Med", "F Spa - Wes"]
)
def test_6_b_10_a_wrong_coast_of_the_ordered_fleet_is_ignored(line):
    where = position(France=["F Spain(sc)"])
    assert followed(where, "France", line) == "F Spain(sc) - Western Mediterranean"


def test_6_b_11_the_real_coast_decides_what_is_possible():
    where = position(France=["F Spain(nc)"])
    reading = one(where, "France", "F Spain(sc) - Gulf of Lyon")
    assert str(reading.order) == "F Spain(nc) - Gulf of Lyon"
    assert reading.problem is not None


def test_6_b_12_an_army_needs_no_coast():
    where = position(France=["A Gascony"])
    reading = one(where, "France", "A Gascony - Spain(nc)")
    assert str(reading.order) == "A Gascony - Spain"
    assert reading.counts
    assert (
        refused(where, "France", "A Gascony - Spain(nc)", Rulebook.from_json({"4.B.6": "a"}))
        == "illegal"
    )


@pytest.mark.parametrize("coast", ["(wc)", "(east coast)"])
def test_4_b_6_a_coast_that_does_not_exist_is_ignored(coast):
    where = position(France=["F Gascony", "F Brest"])
    assert followed(where, "France", f"F Gascony - Spain{coast}") == "F Gascony - Spain(nc)"
    assert followed(where, "France", f"F Brest{coast} - Picardy") == "F Brest - Picardy"


def test_6_b_14_a_fleet_build_without_its_coast_is_illegal_and_leaves_the_build_free():
    where = position("W1901A", centers={"Russia": ["St Petersburg", "Moscow"]}, Russia=["A Warsaw"])
    readings = read(where, "Russia", "Build F St Petersburg", "Build A Moscow")
    assert [reading.counts for reading in readings] == [False, True]
    assert readings[0].problem is not None
    assert "Build F St Petersburg(nc)" in readings[0].problem.sentence


def test_6_b_16_and_6_b_17_a_wrong_coast_of_a_supported_fleet_is_ignored():
    where = position(France=["F Portugal", "F Spain(sc)"])
    assert (
        followed(where, "France", "F Portugal S F Spain(nc)") == "F Portugal Supports F Spain(sc)"
    )
    where = position(France=["A Sevastopol"], Turkey=["F Bulgaria(sc)", "F Constantinople"])
    text = "F Constantinople S F Bulgaria(ec) - Aegean Sea"
    assert (
        followed(where, "Turkey", text) == "F Constantinople Supports F Bulgaria(sc) - Aegean Sea"
    )
    assert refused(where, "Turkey", text, Rulebook.from_json({"4.B.5": "a"})) == "illegal"


def test_4_c_1_a_missing_unit_letter_is_no_fault():
    where = position(Germany=["A Holland"], France=["F Kiel"])
    assert followed(where, "Germany", "Holland Supports Kiel") == "A Holland Supports F Kiel"
    assert refused(where, "Germany", "Holland H", Rulebook.from_json({"4.C.1": "a"})) == "illegal"


def test_6_d_35_a_wrong_unit_letter_is_ignored():
    where = position(Turkey=["A Smyrna", "A Armenia"])
    reading = one(where, "Turkey", "A Smyrna Supports F Armenia - Ankara")
    assert str(reading.order) == "A Smyrna Supports A Armenia - Ankara"
    assert reading.note == "Taken as A Armenia, the unit that stands there."
    assert refused(where, "Turkey", "F Smyrna H", Rulebook.from_json({"4.C.2": "a"})) == "illegal"


def test_4_c_3_a_build_without_letter_is_an_army_inland_and_asked_back_on_the_coast():
    centers = {"Russia": ["St Petersburg", "Moscow", "Warsaw"]}
    where = position("W1901A", centers=centers)
    assert followed(where, "Russia", "Build Moscow") == "Build A Moscow"
    assert refused(where, "Russia", "Build St Petersburg") == "illegal"
    fleet = Rulebook.from_json({"4.C.3": "coast"})
    assert followed(where, "Russia", "Build StP(nc)", fleet) == "Build F St Petersburg(nc)"


def test_6_i_2_a_fleet_is_not_built_inland_nor_turned_into_an_army():
    where = position("W1901A", centers={"Russia": ["Moscow"]})
    assert refused(where, "Russia", "Build F Moscow") == "illegal"
    army = Rulebook.from_json({"4.C.4": "b"})
    assert followed(where, "Russia", "Build F Moscow", army) == "Build A Moscow"


def test_4_c_5_and_4_c_6_a_missing_or_wrong_nationality_is_ignored():
    where = position(Russia=["A Rumania"], Turkey=["F Constantinople"])
    canonical = "A Rumania Supports F Constantinople - Bulgaria(sc)"
    for text in (
        "A Rum S F Con-Bul(sc)",
        "A Rum S French F Con-Bul(sc)",
        "A Rum S Turk. F Con-Bul(sc)",
    ):
        assert followed(where, "Russia", text) == canonical
    missing, wrong = Rulebook.from_json({"4.C.5": "a"}), Rulebook.from_json({"4.C.6": "a"})
    assert refused(where, "Russia", "A Rum S F Con-Bul(sc)", missing) == "illegal"
    assert refused(where, "Russia", "A Rum S French F Con-Bul(sc)", wrong) == "illegal"
    assert followed(where, "Russia", "A Rum S Turkish F Con-Bul(sc)", missing) == canonical


def test_4_d_3_the_first_legal_order_for_a_unit_counts_and_the_second_is_told():
    readings = read(START, "France", "A Par - Moscow", "A Par - Bur", "A Par - Pic")
    assert [reading.counts for reading in readings] == [False, True, False]
    assert readings[2].problem is None
    assert readings[2].note == "A Paris has its order already: A Paris - Burgundy."


def test_6_i_1_builds_beyond_the_number_do_not_count():
    where = position("W1901A", centers={"France": ["Paris", "Brest"]}, France=["A Burgundy"])
    readings = read(where, "France", "Build F Paris", "Build A Paris", "Build F Brest")
    assert [reading.counts for reading in readings] == [False, True, False]
    assert readings[2].note == "France may build only 1 unit."


def test_6_j_1_disbands_beyond_the_number_do_not_count():
    where = position("W1901A", France=["A Burgundy"], centers={"Italy": ["Rome"]})
    readings = read(where, "France", "Disband A Burgundy", "Remove A Burgundy")
    assert [reading.counts for reading in readings] == [True, False]


def test_6_i_7_a_second_build_in_a_province_does_not_count():
    where = position(
        "W1901A", centers={"Russia": ["Moscow", "Warsaw", "Sevastopol"]}, Russia=["A Ukraine"]
    )
    readings = read(where, "Russia", "Build A Moscow", "Build A Moscow")
    assert [reading.counts for reading in readings] == [True, False]


def test_4_d_7_a_build_may_be_declined():
    where = position("W1901A", centers={"France": ["Paris", "Brest"]})
    assert ordered(read(where, "France", "Build A Paris", "Waive")) == ["Build A Paris", "Waive"]
    assert [reading.counts for reading in read(where, "France", "waive 3")] == [True, True, False]


def test_4_a_6_a_path_is_ignored():
    where = position(England=["A Yorkshire", "F North Sea"])
    text = "A Yorkshire - North Sea - Holland"
    assert followed(where, "England", text) == "A Yorkshire - Holland"
    reading = one(position(France=["A Marseilles"]), "France", "A Mar - Bur - Gas")
    assert reading.problem is not None
    assert reading.problem.sentence == "A path leads over seas, and Bur is not one."


def test_4_e_1_a_clear_but_impossible_order_is_never_made_possible():
    reading = one(START, "France", "A Par - Mos")
    assert str(reading.order) == "A Paris - Moscow"
    assert reading.problem is not None
    assert reading.problem.kind == "illegal"


def test_4_e_3_an_order_is_never_taken_from_a_support():
    assert len(read(START, "France", "A Mar S A Par - Bur")) == 1


# The nine poorly written orders of DATC 2.x, each line read by itself.


def test_poor_1_pir_may_be_paris_or_picardy_and_is_asked_back():
    where = position(France=["A Burgundy"])
    reading = one(where, "France", "A Bur - Pir")
    assert reading.problem is not None
    assert reading.problem.kind == "ambiguous"
    assert reading.problem.sentence == "“Pir” could be Paris or Picardy; write Par or Pic."
    assert reading.problem.suggestions == ("Paris", "Picardy")


def test_poor_2_pariz_is_paris():
    reading = one(position(France=["A Burgundy"]), "France", "A Burgundy - Pariz")
    assert str(reading.order) == "A Burgundy - Paris"
    assert reading.note == "“Pariz” is taken as Paris, the only possible reading."


def test_poor_3_tyr_is_tyrolia_and_not_trieste():
    where = position("W1901A", centers={"Austria": ["Trieste"]})
    reading = one(where, "Austria", "Build F Tyr")
    assert str(reading.order) == "Build F Tyrolia"
    assert not reading.counts


def test_poor_4_the_support_of_another_power_makes_nothing_clear():
    where = position(England=["A Brest"], France=["A Burgundy"])
    outcome = adjudicate(where, {"England": ["A Bre S A Bur - Par"], "France": ["A Bur - Pir"]})
    english, french = outcome.results[:2]
    assert english.result == ("invalid",)
    assert (french.order, french.result) == (None, ("illegal",))
    assert french.reason == "“Pir” could be Paris or Picardy; write Par or Pic."
    assert str(outcome.next.units[1]) == "A Burgundy"


def test_poor_5_bu_is_bulgaria_when_budapest_is_impossible():
    where = position(Turkey=["F Rumania"])
    assert followed(where, "Turkey", "F Rum - Bu.") == "F Rumania - Bulgaria(ec)"


def test_poor_6_and_8_a_support_into_bu_is_clear_where_the_move_is_not():
    where = position(Turkey=["A Greece", "A Serbia"])
    assert (
        followed(where, "Turkey", "A Gre S A Ser - Bu") == "A Greece Supports A Serbia - Bulgaria"
    )
    assert refused(where, "Turkey", "A Ser - Bu") == "ambiguous"


def test_poor_7_pir_stays_unclear_when_units_stand_in_both():
    where = position(France=["A Paris", "A Picardy"])
    assert refused(where, "France", "A Pir - Bre") == "ambiguous"


def test_poor_9_bud_is_budapest_and_no_coast_makes_bulgaria_of_it():
    reading = one(position(Turkey=["F Rumania"]), "Turkey", "F Rum - Bud(ec).")
    assert str(reading.order) == "F Rumania - Budapest"
    assert reading.problem is not None
    assert reading.problem.kind == "illegal"
    assert "fleets do not go inland" in reading.problem.sentence


@pytest.mark.parametrize(
    "line", ["Orders for France: A Par - Bur", "My orders for the French - A Par - Bur"]
)
def test_orders_may_stand_after_a_heading_that_names_their_power(line):
    assert followed(START, "France", line) == "A Paris - Burgundy"
    assert refused(START, "Germany", line) == "illegal"


@each_row(
    "line",
    [
        *("My orders are: Paris holds", "Here are my orders: A Par H"),
        *("My orders are as follows: Paris holds", "Orders as follows: Par H"),
    ],
)
def test_orders_may_be_announced_in_front_of_the_first(line):
    assert followed(START, "France", line) == "A Paris Holds"


def test_a_question_announces_no_order():
    refused(START, "France", "Is this my order: A Par H")


@each_row(
    ("line", "sentence"),
    [
        ("no: A Par H", "“no” is not the beginning of an order; "),
        ("Instead of A Par-Bur please do A Par-Pic", "“Instead” is not the beginning "),
        ("I don't understand", "“I don't” is not the beginning of an order; "),
        ("A Par - F Bre", "“F Bre” is a unit; after “-” write only the province, “Bre”."),
        ("A Mar S A Par - A Bur", "“A Bur” is a unit; after “-” write only the province, “Bur”."),
        ("A Par -", "A province is missing after “-”; "),
        (
            "the fleet goes to the Mid Atlantic",
            "“fleet” alone names no unit: write where it stands",
        ),
        ("My army holds", "“army” alone names no unit: write where it stands, too, like “A Mar"),
        ("F SPT - BOT", "There is no province “SPT”; did you mean Spain or St Peter"),
        ("spt-bot", "There is no province “spt”; did you mean Spain or St Peter"),
        ("F spt A Par", "A province is missing after “F”"),
        ("Bre supports it", "“it” names no unit; write out which one, as in “F Bre S A ..."),
        (
            "Bre supports the attack on Pic",
            "“the attack on Pic” does not say which unit to support; name it, as in “F Bre S A ",
        ),
    ],
)
def test_what_stands_in_the_place_of_a_name_is_refused_for_what_it_is(line, sentence):
    problem = one(START, "France", line).problem
    assert problem
    assert problem.sentence.startswith(sentence)


# Misspellings and names cut short.


def test_a_misspelling_is_followed_when_one_reading_is_legal_for_an_own_unit():
    assert followed(START, "France", "A Pariss - Burgundie") == "A Paris - Burgundy"
    assert followed(START, "France", "Army Marsailles to Gasgony") == "A Marseilles - Gascony"
    assert followed(START, "France", "F Brest - Mid Atlantik") == "F Brest - Mid-Atlantic Ocean"


LONG_NAMES = [province.name for province in BOARD.provinces if " " in province.name]


@each_row("name", LONG_NAMES)
def test_a_lost_letter_in_a_name_of_several_words_costs_no_order(name: str):
    goal = BOARD.fleet_places(BOARD.province(name))[0]
    fleet = BOARD.steps("F", goal)[0]
    where = position(France=[f"F {fleet}"])
    for word in name.replace("-", " ").split():
        if len(word) > 3:
            spelt = name.replace(word, word[:-2] + word[-1])
            assert followed(where, "France", f"F {fleet} - {spelt}") == f"F {fleet} - {goal}"


@pytest.mark.parametrize("line", ["F Bla - Ser", "F Black Ser", "F Black-Ser"])
def test_a_name_is_not_taken_for_a_misspelt_word_of_a_longer_one(line: str):
    reading = one(position(Turkey=["F Black Sea"]), "Turkey", line)
    assert str(reading.order) == "F Black Sea - Serbia"


def test_a_short_word_after_a_hyphen_is_no_part_of_a_misspelt_name():
    problem = one(position(Turkey=["F Black Sea"]), "Turkey", "F Black-See").problem
    assert problem
    assert problem.sentence.startswith("There is no province “See”; did you mean Sevastopol?")


@each_row(
    "said", ["as it is moving to", "as it moves to", "in its move to", "in moving to", "entering"]
)
def test_a_supported_move_may_be_told_in_a_sentence(said: str):
    line = f"A Mar supports the French army in Paris {said} Burgundy"
    assert followed(START, "France", line) == "A Marseilles Supports A Paris - Burgundy"


@pytest.mark.parametrize("said", ["if it moves to", "as long as it moves to", "unless it goes to"])
def test_a_support_under_a_condition_is_none(said: str):
    assert refused(START, "France", f"A Mar supports A Par {said} Burgundy") == "unreadable"


@pytest.mark.parametrize("line", ["F Bre - M.Atl.", "F Bre to M. Atl.", "F Bre - M Atl"])
def test_the_m_of_a_sea_is_no_word_for_a_move(line: str):
    assert followed(START, "France", line) == "F Brest - Mid-Atlantic Ocean"


def test_a_misspelling_without_a_legal_reading_is_asked_back_with_suggestions():
    reading = one(START, "France", "A Marseilles - Moskow")
    assert reading.order is None
    assert reading.problem is not None
    assert reading.problem.kind == "unreadable"
    assert reading.problem.sentence == (
        "There is no province “Moskow”; did you mean Moscow? A Marseilles cannot reach Moscow. "
        "It can go to Burgundy, Gascony, Piedmont or Spain."
    )
    assert reading.problem.suggestions == ("Moscow",)


def test_a_misspelt_unit_of_another_power_is_not_followed():
    assert refused(START, "France", "A Munnich - Bur") == "unreadable"


def test_the_ambiguous_liv_is_refused_with_both_named_even_when_one_is_impossible():
    reading = one(START, "Russia", "A Mos - Liv")
    assert reading.problem is not None
    assert reading.problem.sentence == "“Liv” could be Livonia or Liverpool; write Lvn or Lvp."


def test_a_beginning_of_two_names_is_followed_when_one_is_possible_and_else_refused():
    assert followed(START, "England", "F Edi - Norw. Sea") == "F Edinburgh - Norwegian Sea"
    where = position(England=["F Norwegian Sea"])
    assert refused(where, "England", "F Nwg - Nort") == "ambiguous"
    assert followed(START, "England", "F Edi - Nort") == "F Edinburgh - North Sea"


# Phases.


def test_retreats_go_where_the_list_allows():
    dislodged = [
        {"power": "Italy", "unit": "A Vienna", "retreats": ["Tyrolia", "Bohemia"]},
        {"power": "France", "unit": "F Portugal", "retreats": ["Spain(nc)"]},
    ]
    where = position("F1901R", Austria=["A Vienna"], dislodged=dislodged)
    for text in (
        "A Vie - Tyr",
        "A Vienna retreats to Tyrolia",
        "Retreat A Vie to Tyr",
        "A VIE TYR",
    ):
        assert followed(where, "Italy", text) == "A Vienna - Tyrolia"
    assert followed(where, "Italy", "A Vie disbands") == "Disband A Vienna"
    assert followed(where, "France", "F Por - Spa") == "F Portugal - Spain(nc)"
    reading = one(where, "Italy", "A Vie - Ven")
    assert reading.problem is not None
    assert "Tyrolia or Bohemia" in reading.problem.sentence
    assert refused(where, "Italy", "A Vie H") == "illegal"
    assert refused(where, "Austria", "A Vie - Tyr") == "illegal"
    assert refused(where, "Italy", "A Vie") == "unreadable"


def test_a_bare_unit_is_a_build_or_disband_in_winter_and_a_question_before():
    centers = {"France": ["Paris", "Brest"], "Italy": ["Rome"]}
    where = position("W1901A", centers=centers, Italy=["A Rome", "A Venice"])
    assert followed(where, "France", "F Bre") == "Build F Brest"
    assert followed(where, "Italy", "A Ven") == "Disband A Venice"
    reading = one(START, "France", "F Bre")
    assert reading.problem is not None
    assert "F Brest Holds" in reading.problem.sentence


def test_orders_of_another_phase_are_illegal():
    assert refused(START, "France", "Build A Paris") == "illegal"
    assert refused(START, "France", "Disband A Paris") == "illegal"
    where = position("W1901A", centers={"France": ["Paris"]})
    assert refused(where, "France", "A Paris - Burgundy") == "illegal"


def test_a_chaos_power_named_like_its_province_orders_it():
    chaos = load_variant("chaos")
    where = Position.from_state(
        chaos, {"phase": "S1901M", "units": {"Norway": ["F Norway"], "Edinburgh": ["F Edinburgh"]}}
    )
    assert followed(where, "Norway", "Norway - Norwegian Sea") == "F Norway - Norwegian Sea"
    assert followed(where, "Edinburgh", "Edi S Norwegian F Nwy - Nwg") == (
        "F Edinburgh Supports F Norway - Norwegian Sea"
    )
    assert followed(where, "Norway", "Norway: Nwy - Nwg") == "F Norway - Norwegian Sea"


# Invariants.

PARADOXES = ("1971", "1982", "2000", "AllHold", "Verheijden", "Szykman", "DPTG")
DISORDERS = ("1971/1982", "2000", "2023/2025EE", "DPTG")

KINDS: tuple[UnitKind, ...] = ("A", "F")
PLACES = {kind: tuple(at for at in BOARD.locations if BOARD.can_stand(kind, at)) for kind in KINDS}
UNITS = st.sampled_from([Unit(kind, at, "France") for kind in KINDS for at in PLACES[kind]])
AFTER: dict[type, str] = {Retreat: "S1901R", Build: "W1901A", Waive: "W1901A", Disband: "W1901A"}


def targets(unit: Unit) -> st.SearchStrategy[Location]:
    return st.sampled_from(PLACES["F" if unit.kind == "F" else "A"])


@st.composite
def orders(draw: st.DrawFn) -> Order:
    unit, other = draw(UNITS), draw(UNITS)
    if other.location.province == unit.location.province:
        other = unit
    to = draw(targets(unit))
    made: list[Order] = [
        Hold(unit),
        Move(unit, to, unit.kind == "A" and draw(st.booleans())),
        Support(unit, other),
        Retreat(unit, to),
        Disband(unit),
        Build("France", "F" if unit.kind == "F" else "A", unit.location),
        Waive("France"),
    ]
    beyond = draw(targets(other))
    if beyond.province != other.location.province:
        made.append(Support(unit, other, beyond))
    if other.kind == "A":
        made.append(Convoy(unit, other, draw(st.sampled_from(PLACES["A"]))))
    return draw(st.sampled_from(made))


@given(orders())
def test_printing_an_order_and_reading_it_gives_the_same_order(order):
    step = AFTER.get(type(order), "S1901M")
    units = [getattr(order, name) for name in ("unit", "supported", "army") if hasattr(order, name)]
    if step == "S1901R":
        retreats = (Dislodged(units[0], ()),)
        where = Position(STANDARD, START.phase.parse(step), (), {}, retreats)
    else:
        where = Position(STANDARD, START.phase.parse(step), tuple(dict.fromkeys(units)))
    assert one(where, "France", str(order)).order == order


def test_a_line_of_very_many_orders_is_not_followed():
    problem = one(START, "France", "A Par - Bur; " * 101).problem
    assert problem is not None
    assert problem.sentence == "This line is too long; write one order on a line."


def test_what_stands_after_too_many_orders_is_not_even_read(monkeypatch):
    pieces, read = OrderParser.pieces, list[Wording]()

    def counted(self: OrderParser, wording: Wording) -> Iterator[Piece]:
        read.append(wording)
        yield from pieces(self, wording)

    monkeypatch.setattr(OrderParser, "pieces", counted)
    (answer,) = read_orders(START, "France", ["a," * (LONGEST_LINE // 2)])
    assert answer.problem
    assert MOST_ORDERS < len(read) < 2 * MOST_ORDERS


@given(orders())
def test_the_short_way_for_the_canonical_notation_reads_as_the_grammar_does(order):
    lexicon, text = line_reader_of(STANDARD), str(order)
    units = [getattr(order, name) for name in ("unit", "supported", "army") if hasattr(order, name)]
    where = Position(STANDARD, START.phase, tuple(dict.fromkeys(units)))
    short = lexicon.canonical.order(text, where.unit_at)
    if short is None:
        assert not isinstance(order, Hold)
        return
    (piece,) = (piece for part in split_line(text) for piece in lexicon.parser.pieces(part))
    assert isinstance(piece.written, Written)
    long = Interpreter(where, "France", DATC, lexicon.gazetteer).meaning(piece.written)
    assert (long.order, long.notes) == (short, ())
    assert str(short) == text


CROWD = position(
    France=["A Paris", "F Spain(nc)", "F North Sea"], Italy=["A Rome", "F Gascony", "A London"]
)


@each_row(
    "line",
    [
        *("F Spain(nc) Holds", "A Paris - Burgundy", "A Paris - Rome via Convoy"),
        *("F Gascony - Spain(nc)", "A Paris Supports A Rome", "A Rome Supports A Paris - Gascony"),
        *("F North Sea Convoys A London - Norway", "F Spain(nc) - Portugal"),
        "A Paris Supports F Gascony - Spain(nc)",
    ],
)
def test_a_line_in_our_own_notation_needs_no_grammar(line):
    order = line_reader_of(STANDARD).canonical.order(line, CROWD.unit_at)
    assert str(order) == line


@each_row(
    "line",
    [
        *("", " Holds", "Holds", "F Spain (nc) Holds", "a Paris - Burgundy", "A Par - Bur"),
        *("A Paris - Burgundy ", "A Paris  - Rome", "A Paris - Atlantis", "A Paris Supports"),
        *("A Paris Supports A Atlantis", "A Paris Supports A Rome - ", "F Paris Holds"),
        *("F North Sea Convoys A London", "A Paris - Burgundy via convoy", "A Gascony Holds"),
        *("F Spain Holds", "F Gascony - Spain", "F Gascony - Spain(sc)", "A Paris - Spain(nc)"),
        *("F Gascony - Brest via Convoy", "A Paris Supports A Rome - Spain(nc)"),
    ],
)
def test_the_short_way_leaves_everything_else_to_the_grammar(line):
    assert line_reader_of(STANDARD).canonical.order(line, CROWD.unit_at) is None


@each_row(
    "line",
    [
        *("F Kie - H", "F Kie -> h", "Kiel to H", "F Kie moves to H.", "Flotte Kiel - H"),
        *("A Ber S F Kie - H", "A Ber supports Kiel to H"),
    ],
)
def test_an_h_behind_a_sign_is_asked_about_where_the_unit_can_go_to_such_a_place(line):
    (reading,) = read_orders(Position.start(STANDARD), "Germany", [line])
    assert (reading.order, reading.problem.kind) == (None, "ambiguous")
    assert reading.problem.suggestions == ("Helgoland Bight", "Holland")
    assert "that F Kiel holds, or that it goes to Helgoland Bight or Holland" in (
        reading.problem.sentence
    )


@each_row(
    ("line", "order"),
    [
        *(("A Mun - H", "A Munich Holds"), ("A Mun -> H", "A Munich Holds")),
        *(("F Kie H", "F Kiel Holds"), ("F Kie: H", "F Kiel Holds")),
        *(("F Kie - hold", "F Kiel Holds"), ("F Kie - Hol", "F Kiel - Holland")),
        *(("A Mun S A Ber - H", "A Munich Supports A Berlin"),),
        *(("A Mun S F Kie H", "A Munich Supports F Kiel"),),
    ],
)
def test_an_h_is_a_hold_where_it_can_be_nothing_else(line, order):
    (reading,) = read_orders(Position.start(STANDARD), "Germany", [line])
    assert str(reading.order) == order


@each_row("name", variant_names())
def test_no_name_that_is_printed_means_something_else_in_another_language(name):
    """A line in our own notation is read the same, however it is read."""
    reader = line_reader_of(load_variant(name))
    for place in reader.variant.board.locations:
        line = f"A {place.name} Supports F {place.name} - {place.name} via Convoy Convoys Holds"
        assert not reader.foreign.unclear_words(line), place.name


def test_a_remembered_order_is_looked_at_again_where_its_legality_hangs_on_other_fleets():
    near = position(England=["A London", "F North Sea"])
    far = position(England=["A London", "F Irish Sea"])
    for _ in range(2):
        assert followed(near, "England", "A Lon - Nwy") == "A London - Norway"
        assert refused(far, "England", "A Lon - Nwy") == "illegal"


def test_a_remembered_order_belongs_to_the_units_the_power_and_the_rules_it_was_read_with():
    fleet, army = position(France=["F Gascony"]), position(France=["A Gascony"])
    strict = Rulebook.from_json({"4.B.2": "b"})
    for _ in range(2):
        assert followed(fleet, "France", "Gas - Spa") == "F Gascony - Spain(nc)"
        assert followed(army, "France", "Gas - Spa") == "A Gascony - Spain"
        assert refused(fleet, "Italy", "Gas - Spa") == "illegal"
        assert refused(fleet, "France", "Gas - Spa", strict) == "illegal"


POWERS = st.sampled_from(("England", "France"))
RULES = st.sampled_from([Rulebook.named(name) for name in ("DATC", "DPTG")])


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Some units on the seas and shores of the west, where convoys make the difference."""
    chosen = draw(st.sets(st.sampled_from(WEST), min_size=3, max_size=8))
    return position(
        **{
            power: [text for number, text in enumerate(sorted(chosen)) if number % 2 == side]
            for side, power in enumerate(("England", "France"))
        }
    )


WEST = (
    *("F North Sea", "F English Channel", "F Irish Sea", "F Mid-Atlantic Ocean", "F Norwegian Sea"),
    *("A London", "A Brest", "A Belgium", "A Wales", "A Norway", "F Denmark", "F Portugal"),
)
LINES = st.sampled_from(
    [
        f"{unit} {rest}"
        for unit in WEST
        for rest in (
            *("- London", "- Belgium", "- Norway via Convoy", "- North Sea", "Holds", "- Spain"),
            *("Supports A London - Belgium", "Supports A Wales", "Convoys A London - Norway"),
            *("Supports F Denmark - North Sea", "Supports A Brest - London", "- Lodnon"),
        )
    ]
)


@given(st.lists(st.tuples(positions(), POWERS, st.lists(LINES, max_size=6), RULES), max_size=4))
def test_what_is_remembered_is_what_would_be_found_again(rounds):
    for where, power, lines, rules in rounds:
        remembered = read_orders(where, power, lines, rules)
        results = adjudicate(where, {power: lines}, rules).results
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(AnswerMemory, "of", lambda *_: {})
            assert read_orders(where, power, lines, rules) == remembered
            assert adjudicate(where, {power: lines}, rules).results == results


def test_a_line_is_remembered_for_each_of_the_last_few_powers_whose_unit_it_supported():
    line, others = "A Bur S A Par", [power for power in STANDARD.powers if power != "France"]
    for power in others:
        where = position(France=["A Burgundy"], **{power: ["A Paris"]})
        assert one(where, "France", line).order.supported.power == power
    memory, remembered = line_reader_of(STANDARD).answers.of(DATC)["France"], []
    known = memory[line]
    while known is not None:
        remembered.append(known.order.supported.power)
        known = known.before
    assert remembered == others[:-5:-1]
    again = position(France=["A Burgundy"], **{others[-3]: ["A Paris"]})
    assert one(again, "France", line).order.supported.power == others[-3]
    assert memory[line].order.supported.power == others[-1]


def test_a_memory_full_of_rulebooks_and_lines_starts_anew():
    where, strict = position(France=["F Gascony"]), {"4.B.2": "b"}
    choices = [
        {"4.A.2": paradox, "4.D.8": disorder} for paradox in PARADOXES for disorder in DISORDERS
    ]
    for number, choice in enumerate(choices * 4):
        rules = Rulebook.from_json(
            {**choice, **(strict if number % 2 else {}), "4.C.1": "ab"[number // 28 % 2]}
        )
        reading = one(where, "France", "F Gas - Spa", rules)
        assert reading.counts == (number % 2 == 0)


def test_an_edited_map_is_not_answered_from_the_memory_of_the_plain_one():
    edited = STANDARD.edited({"army_borders_add": [["Naples", "Tunis"]]})
    state = {"phase": "S1901M", "units": {"Italy": ["A Naples"]}}
    for _ in range(2):
        plain_map, other = (Position.from_state(v, state) for v in (STANDARD, edited))
        assert refused(plain_map, "Italy", "A Nap - Tun") == "illegal"
        assert followed(other, "Italy", "A Nap - Tun") == "A Naples - Tunis"


@given(st.lists(st.text(max_size=80), max_size=6))
def test_no_line_crashes_the_reader_or_costs_a_good_one(lines):
    where = position(France=["A Paris"])
    readings = read(where, "France", *lines, "A Paris - Burgundy")
    last = [reading for reading in readings if reading.line == len(lines)]
    assert [str(reading.order) for reading in last] == ["A Paris - Burgundy"]
    assert last[0].counts or any(reading.counts for reading in readings)
    for reading in readings:
        assert reading.counts <= (reading.order is not None and reading.problem is None)
        assert reading.problem is None or reading.problem.sentence.endswith((".", "?"))


def test_a_line_too_long_to_be_an_order_is_answered():
    reading = one(START, "France", "A Par - Bur " * LONGEST_LINE)
    assert reading.problem is not None
    assert "too long" in reading.problem.sentence
    assert len(reading.text) < 100


def test_readings_hold_nothing_that_json_cannot():
    for reading in read(START, "France", "A Par - Bur", "A Par - Liv", "A Mar - Moskow"):
        problem = reading.problem and (reading.problem.sentence, list(reading.problem.suggestions))
        json.dumps([reading.line, reading.text, str(reading.order), problem, reading.note])


@each_row(
    ("words", "said"),
    [((), ""), (("a",), "a"), (("a", "b"), "a or b"), (("a", "b", "c"), "a, b or c")],
)
def test_choices_are_listed_however_many_there_are(words: tuple[str, ...], said: str) -> None:
    assert either(words) == said


@pytest.mark.parametrize("line", ["A Rome - Florence", "A Rome to Florence"])
def test_who_goes_to_a_place_that_the_map_has_not_reads_where_the_unit_can_go(line):
    [reading] = read_orders(Position.start(load_variant("milan")), "Italy", [line])
    assert reading.problem.sentence == (
        "There is no province “Florence”; write its full name or its abbreviation. "
        "A Rome can go to Apulia, Milan, Naples, Savoy or Venice."
    )


def test_nobody_is_told_where_the_unit_of_another_power_can_go():
    [reading] = read_orders(Position.start(load_variant("milan")), "France", ["A Rome - Florence"])
    assert "can go to" not in reading.problem.sentence
