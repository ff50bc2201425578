"""Russia's emergency measures in 1900: one unit more than centres, and builds in Siberia.

The rule as vDiplomacy and Playdiplomacy tell it: while Russia owns some of its home centres but
not all, it may have one unit more than its centres allow, and may build in Siberia.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from judge import Position, adjudicate, legal_orders, load_variant, read_orders

HOME = ("Moscow", "Sevastopol", "St Petersburg", "Warsaw")
EMERGENCY = load_variant("1900")


def winter(
    centers: Sequence[str], units: Sequence[str], others: dict[str, list[str]] | None = None
) -> Position:
    state = {
        "phase": "W1901A",
        "centers": {"Russia": list(centers)},
        "units": {"Russia": list(units), **(others or {})},
    }
    return Position.from_state(EMERGENCY, state)


@pytest.mark.parametrize("kept", [HOME[:1], HOME[:3], (*HOME[1:3], "Rumania")])
def test_with_some_of_its_home_centres_russia_may_have_a_unit_more(kept: Sequence[str]) -> None:
    units = ["A Ukraine", "A Livonia", "A Finland"][: len(kept)]
    place = winter(kept, units)
    assert place.adjustment("Russia") == 1
    assert place.allowance["Turkey"] == 0
    assert "Siberia" in [site.name for site in place.build_sites("Russia")]
    outcome = adjudicate(place, {"Russia": ["Build A Siberia"]})
    assert outcome["A Siberia"].result == ("succeeds",)
    assert outcome.next["Siberia"] is not None


@pytest.mark.parametrize("kept", [HOME, (), ("Rumania",)])
def test_with_all_or_none_of_them_there_are_no_measures(kept: Sequence[str]) -> None:
    place = winter(kept, [])
    assert place.adjustment("Russia") == (4 if kept == HOME else 0)
    assert "Siberia" not in [site.name for site in place.build_sites("Russia")]
    [reading] = read_orders(place, "Russia", ["Build A Siberia"])
    assert reading.problem is not None
    assert reading.problem.sentence.startswith("Siberia is not a supply centre.")


def test_the_unit_more_stays_and_no_other() -> None:
    place = winter(HOME[:2], ["A Ukraine", "A Livonia", "A Finland"])
    assert place.adjustment("Russia") == 0
    place = winter(HOME[:2], ["A Ukraine", "A Livonia", "A Finland", "A Silesia"])
    assert place.adjustment("Russia") == -1
    assert len(adjudicate(place, {}).next.units_of("Russia")) == 3


def test_when_the_last_home_centre_is_back_the_unit_more_has_to_go() -> None:
    place = winter(HOME, ["A Ukraine", "A Livonia", "A Finland", "A Silesia", "A Siberia"])
    assert place.adjustment("Russia") == -1


def test_siberia_takes_one_unit_and_an_army_only() -> None:
    place = winter(HOME[:3], [])
    builds = {str(one) for one in legal_orders(place)["Russia"][None]}
    assert "Build A Siberia" in builds
    assert "Build F Siberia" not in builds
    [reading] = read_orders(place, "Russia", ["Build F Siberia"])
    assert reading.problem is not None
    occupied = winter(HOME[:3], [], {"Turkey": ["A Siberia"]})
    [reading] = read_orders(occupied, "Russia", ["Build A Siberia"])
    assert reading.problem is not None
    assert reading.problem.sentence == (
        "Siberia is occupied by A Siberia. Russia can build in Moscow, Sevastopol or St Petersburg."
    )


def test_nobody_else_builds_in_siberia_and_no_centre_is_won_there() -> None:
    state = {
        "phase": "W1901A",
        "centers": {"Turkey": ["Ankara", "Moscow"], "Russia": ["Warsaw"]},
        "units": {},
    }
    place = Position.from_state(EMERGENCY, state)
    [reading] = read_orders(place, "Turkey", ["Build A Siberia"])
    assert reading.problem is not None
    assert place.counting["Russia"] == 1
