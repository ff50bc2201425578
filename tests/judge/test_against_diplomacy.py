"""Random games through another engine as well: run with ``-m oracle`` where it is installed."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.oracle
pytest.importorskip("diplomacy", reason="pip install -r benchmarks/requirements.txt")

from benchmarks.against_diplomacy import Comparison, play  # noqa: E402
from benchmarks.rival import Rival  # noqa: E402
from judge import adjudicate, read_orders  # noqa: E402
from tests.judge.table import stand  # noqa: E402

GAMES = (*range(1001, 1031), 90051, 424204)
"""In the last two, two causes meet in one phase."""


@pytest.fixture(scope="module")
def phases() -> list[Comparison]:
    rival = Rival()
    return [phase for seed in GAMES for phase in play(seed, rival)]


def test_every_difference_to_the_other_engine_is_explained(phases: list[Comparison]):
    unexplained = [phase for phase in phases if not phase.agrees and not phase.causes()]
    assert [phase.as_line("unexplained") for phase in unexplained] == []


def test_the_two_engines_agree_on_nearly_all_phases(phases: list[Comparison]):
    """Were the comparison broken, it would not agree on 19 of 20 phases of every kind."""
    assert {phase.position.phase.step for phase in phases} == {"M", "R", "A"}
    assert sum(phase.agrees for phase in phases) / len(phases) > 0.95


UNITS = {
    "Austria": ["A St Petersburg", "F Finland", "F Gulf of Bothnia", "F Livonia"],
    "England": ["F Baltic Sea"],
    "Russia": ["A Norway", "A Sweden", "A Ukraine", "F Barents Sea"],
    "Turkey": ["A Moscow", "A Warsaw"],
}
LINES = {
    "Austria": [
        "F Gulf of Bothnia Supports F Finland",
        "A St Petersburg - Finland",
        "F Finland Supports A Moscow - St Petersburg",
        "F Livonia Supports A Norway - St Petersburg",
    ],
    "England": ["F Baltic Sea Convoys A Sweden - Finland"],
    "Russia": [
        "F Barents Sea Convoys A Norway - St Petersburg",
        "A Sweden - Finland via Convoy",
        "A Norway - St Petersburg via Convoy",
        "A Ukraine - Warsaw",
    ],
    "Turkey": ["A Moscow - St Petersburg", "A Warsaw - Silesia"],
}


def test_a_fault_behind_an_army_that_goes_over_land_is_explained():
    """They let A Sweden walk to Finland, which cuts the support that hides fault 1."""
    position = stand(UNITS)
    orders = {
        power: [one.order for one in read_orders(position, power, lines) if one.order]
        for power, lines in LINES.items()
    }
    rival, outcome = Rival(), adjudicate(position, orders)
    phase = Comparison(position, orders, outcome, rival.adjudicate(position, orders), rival.results)
    assert not phase.agrees
    assert {cause.partition(":")[0] for cause in phase.causes()} >= {"rule 4.A.3", "fault 1"}
