"""A simulation is repeatable to the byte, keeps every promise, and finds faults put in on purpose.

One process simulates all of it (`proof`), on SQLite in memory, whatever database the tests have.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.migrated import ROOT, sqlite_file
from tests.simulate.plants.planted import PLANTS

# A minute of processor time in one fixture: beside other work it takes longer than a test may.
pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

Told = Mapping[str, Any]
MOST_DRIFTED = 2
LATE = 0.5
"""Days."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Told]:
    """What came of each simulation."""
    template = sqlite_file(Path(tmp_path_factory.mktemp("simulate")) / "template.sqlite3")
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulate.plants.proof", str(template)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: Mapping[str, Told] = json.loads(done.stdout)
    return found


def test_every_promise_is_kept_though_workers_die_and_mails_are_doubled(
    told: Mapping[str, Told],
) -> None:
    days = told["days"]
    assert days["fault"] == ""
    assert days["steps"] >= 1000
    assert days["phases"] >= 1
    assert days["mails"] >= 10


def test_every_promise_is_kept_in_several_games_of_the_same_people(
    told: Mapping[str, Told],
) -> None:
    assert told["several"]["fault"] == ""
    assert told["several"]["mails"] >= 10


def test_the_same_seed_sends_the_same_bytes(told: Mapping[str, Told]) -> None:
    assert told["once"] == told["again"]
    assert told["once"]["phases"] >= 1


@pytest.mark.parametrize("name", [name for name, plant in PLANTS.items() if plant.in_every_run])
def test_a_planted_fault_is_found(told: Mapping[str, Told], name: str) -> None:
    assert PLANTS[name].found_as in told[name]["fault"]


def test_few_planted_faults_have_drifted_from_their_seeds(told: Mapping[str, Told]) -> None:
    """Another wording changes what people write, and with that when a fault is found. Those that
    are found by another seed, or late, keep everybody waiting; the list says what to write."""
    drifted = [
        f"{name}: by seed {one['seed']}, not {plant.seed}, after {one['days']:.1f} days"
        for name, plant in PLANTS.items()
        if plant.in_every_run
        and ((one := told[name])["seed"] != plant.seed or one["days"] > plant.hour / 24 + LATE)
    ]
    assert len(drifted) <= MOST_DRIFTED, "Give these another seed:\n" + "\n".join(drifted)
