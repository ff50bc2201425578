"""The worked examples of the Diplomacy Player's Technical Guide, under the preset `DPTG`.

`dptg/examples.json` has each with its chapter and step, the orders as the Guide writes them, and
the DATC's word for what the Guide says of each; null where the Guide's own word ("cancelled") has
no counterpart.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from judge import Position, Rulebook, adjudicate, load_variant
from judge.adjustments import civil_disorder
from tests.judge.table import play, stand, units
from tests.rows import each_row

EXAMPLES = json.loads((Path(__file__).parent / "dptg" / "examples.json").read_text("utf-8"))
STANDARD = load_variant("standard")
DPTG = Rulebook.named("DPTG")

Example = dict[str, Any]


@each_row("example", EXAMPLES, ids=[example["id"] for example in EXAMPLES])
def test_an_example_of_the_guide_ends_as_the_guide_says(example: Example):
    state = {"phase": "S1901M", "units": example["units"]}
    lines = {power: [text for text, _ in given] for power, given in example["orders"].items()}
    outcome = adjudicate(Position.from_state(STANDARD, state), lines, DPTG)
    said = {(power, text): word for power in lines for text, word in example["orders"][power]}
    results = {
        (result.power, result.text): ", ".join(result.result)
        for result in outcome.results
        if result.text is not None
    }
    assert {key: results[key] for key in said if said[key]} == {
        key: word for key, word in said.items() if word
    }
    assert set(results) == set(said)


def test_all_worked_examples_are_here():
    chapters = [example["id"].split(".")[0] for example in EXAMPLES]
    assert {chapter: chapters.count(chapter) for chapter in chapters} == {
        "VII": 2,
        "VIII": 28,
        "IX": 8,
        "XII": 6,
    }


def removed(power: str, units: list[str], rules: Rulebook = DPTG) -> str:
    """The first unit that civil disorder takes from ``power``."""
    state = {"phase": "W1901A", "units": {power: units}}
    position = Position.from_state(STANDARD, state)
    [first] = civil_disorder(position, power, position.units_of(power), 1, rules)
    return str(first)


def test_a_russian_army_in_constantinople_is_two_spaces_from_home():
    """Chapter XIII: over the Black Sea, though Sevastopol be Turkish."""
    assert removed("Russia", ["A Constantinople", "A Galicia"]) == "A Constantinople"
    assert removed("Russia", ["A Constantinople", "A Budapest"]) == "A Budapest"
    assert removed("Russia", ["A Constantinople", "A Albania"]) == "A Albania"


def test_a_russian_fleet_on_the_south_coast_of_bulgaria_is_three_moves_from_home():
    assert removed("Russia", ["F Bulgaria(sc)", "A Serbia"]) == "F Bulgaria(sc)"
    assert (
        removed("Russia", ["F Bulgaria(sc)", "F Eastern Mediterranean"])
        == "F Eastern Mediterranean"
    )
    assert removed("Russia", ["F Bulgaria(ec)", "A Constantinople"]) == "F Bulgaria(ec)"
    assert removed("Russia", ["F Bulgaria(ec)", "A Albania"]) == "A Albania"


def test_of_an_army_and_a_fleet_equally_far_the_fleet_goes():
    assert removed("Turkey", ["A Greece", "F Ionian Sea"]) == "F Ionian Sea"


def test_the_guide_sorts_some_names_in_its_own_way():
    """Bothnia under B, St. Petersburg under Saint; the printed rulebooks by what the map says."""
    bothnia = ["F Gulf of Bothnia", "F Finland"]
    assert removed("Russia", bothnia) == "F Gulf of Bothnia"
    assert removed("Russia", bothnia, Rulebook.named("1982")) == "F Finland"
    petersburg = ["A Serbia", "A St Petersburg"]
    assert removed("Germany", petersburg) == "A St Petersburg"
    assert removed("Germany", petersburg, Rulebook.named("1982")) == "A Serbia"


SIEGE = {"Austria": ["A Vienna", "A Budapest"], "Russia": ["A Galicia", "A Bohemia"]}
ATTACK = ["A Galicia - Vienna", "A Bohemia Supports A Galicia - Vienna"]
DEFENCE = ["A Vienna Holds", "A Budapest Supports A Vienna"]
ONE_ISSUE = Rulebook.from_json({"4.E.1": "DPTG"})


@each_row("rules", [DPTG, ONE_ISSUE], ids=["DPTG", "4.E.1"])
@each_row(
    ("austria", "russia", "stands"),
    [
        (DEFENCE, ATTACK, True),
        (DEFENCE, ["A Vienna - Moscow", *ATTACK], True),
        ([*DEFENCE, "A Vienna - Moscow"], ATTACK, True),
        (["A Vienna - Moscow", *DEFENCE], ATTACK, True),
        (["A Vienna - Moscow", DEFENCE[1]], ATTACK, False),
        ([DEFENCE[1]], ["A Vienna - Moscow", *ATTACK], True),
        (["A Budapest S A Vie", "A Vienna S A Moscow"], ATTACK, True),
    ],
    ids=[
        "no illegal line",
        "an enemy's illegal line",
        "an illegal line below a legal one",
        "an illegal line above a legal one",
        "the unit's only order",
        "an enemy's line for a unit without an order",
        "an illegal support",
    ],
)
def test_only_an_illegal_move_of_its_own_takes_the_support_from_a_unit(
    austria: list[str], russia: list[str], stands: bool, rules: Rulebook
):
    position = stand(SIEGE)
    outcome = play(position, {"Austria": austria, "Russia": russia}, rules)
    assert ("Austria: A Vienna" in units(outcome.next)) == stands


def test_two_legal_orders_that_cancel_each_other_are_no_illegal_move():
    rules = Rulebook.from_json({"4.E.1": "DPTG", "4.D.3": "c"})
    lists = {"Austria": ["A Vienna Holds", "A Vienna - Tyrolia", DEFENCE[1]], "Russia": ATTACK}
    assert "Austria: A Vienna" in units(play(stand(SIEGE), lists, rules).next)
