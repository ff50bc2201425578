"""Random games through another engine as well: run with ``-m oracle`` where it is installed."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.oracle
pytest.importorskip("diplomacy", reason="pip install -r benchmarks/requirements.txt")

from benchmarks.against_diplomacy import Comparison, play  # noqa: E402
from benchmarks.rival import Rival  # noqa: E402

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
