"""What a run in several processes gives out, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import schedule
from tests.schedule import IDLE, LAST, LONG, TOGETHER, Schedule, rank, unit_of, waits

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


def test_only_the_spare_processes_wait_while_others_can_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two cores for four processes: two are spare."""
    monkeypatch.setattr(schedule, "number_of_cores", lambda: 2)
    waiting = [f"tests/run/test_make_run.py::test_{number}" for number in range(3)]
    working = [f"tests/games/test_{number}.py::test_a" for number in range(2)]
    given_out = Schedule(enumerate([*waiting, *working]), processes=4)
    at: list[str] = []
    for _ in range(4):
        unit, _ = given_out.next(at)
        at.append(unit)
    assert [waits(unit) for unit in at] == [True, True, False, False]
    assert given_out.next(at[1:]) == (waiting[2], [2])
    assert given_out.next(at) == ("", [])


def test_tests_whose_process_died_are_given_out_next() -> None:
    names = ["tests/games/test_0.py::test_a", "tests/games/test_1.py::test_a"]
    given_out = Schedule(enumerate(names), 2)
    given_out.again("tests/games/test_2.py", [7, 8])
    assert given_out.next([]) == ("tests/games/test_2.py", [7, 8])


def test_what_is_added_later_can_be_given_out_before_the_rest() -> None:
    given_out = Schedule([(0, "tests/judge/test_0.py::test_a")], 2)
    given_out.add([(7, "tests/games/test_1.py::test_a")], first=True)
    assert [given_out.next([]) for _ in range(2)] == [
        ("tests/games/test_1.py", [7]),
        ("tests/judge/test_0.py", [0]),
    ]


@pytest.mark.long
def test_what_takes_long_begins_first(request: pytest.FixtureRequest) -> None:
    assert rank(request.node) == 0


def test_all_others_follow(request: pytest.FixtureRequest) -> None:
    assert rank(request.node) == 1
