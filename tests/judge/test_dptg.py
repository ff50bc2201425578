"""The worked examples of the Diplomacy Player's Technical Guide, under the preset `DPTG`.

`dptg/examples.json` has each with its chapter and step, the orders as the Guide writes them, and
the DATC's word for what the Guide says of each; null where the Guide's own word ("cancelled") has
no counterpart.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge import Position, Rulebook, adjudicate, load_variant
from judge.adjustments import civil_disorder

EXAMPLES = json.loads((Path(__file__).parent / "dptg" / "examples.json").read_text("utf-8"))
STANDARD = load_variant("standard")
DPTG = Rulebook.named("DPTG")

Example = dict[str, Any]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["id"] for example in EXAMPLES])
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
