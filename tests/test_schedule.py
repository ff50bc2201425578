"""What a run in several processes gives out, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.schedule import IDLE, LAST, LONG, TOGETHER, rank, unit_of, waits

ROOT = Path(__file__).resolve().parent.parent


def test_a_module_goes_to_one_process() -> None:
    modules = {unit_of(f"tests/games/test_votes.py::{name}") for name in ("test_a", "test_b[1]")}
    assert modules == {"tests/games/test_votes.py"}


def test_tests_that_wait_for_servers_go_one_by_one() -> None:
    name = "tests/run/test_make_run.py::test_a_game_moves"
    assert unit_of(name) == name


def test_what_shares_a_server_stays_together() -> None:
    folder = "tests/run/test_make_run.py::TestOneFolder"
    for whole in (folder, "tests/flows/test_two_servers.py"):
        assert {unit_of(f"{whole}::{name}") for name in ("test_a", "test_b[x::y]")} == {whole}


@pytest.mark.parametrize("folder", [*LONG, *LAST])
def test_the_folders_are_where_they_are_looked_for(folder: str) -> None:
    assert list((ROOT / folder).glob("test_*.py"))


@pytest.mark.parametrize("start", [*IDLE, *TOGETHER])
def test_the_modules_are_where_they_are_looked_for(start: str) -> None:
    assert list(ROOT.glob(f"{start}*"))


def test_a_test_that_waits_for_a_server_needs_no_core() -> None:
    assert waits("tests/run/test_make_run.py::test_a_game_moves")
    assert not waits("tests/games/test_votes.py::test_a")


@pytest.mark.long
def test_what_takes_long_begins_first(request: pytest.FixtureRequest) -> None:
    assert rank(request.node) == 0


def test_all_others_follow(request: pytest.FixtureRequest) -> None:
    assert rank(request.node) == 1
