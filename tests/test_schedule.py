"""What a run in several processes gives out, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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


class Node:
    """A process that hears what it is given, and runs nothing."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.given: list[str] = []

    shutting_down = False
    gateway = SimpleNamespace(id="")

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        self.given += [self.names[number] for number in indices]

    def shutdown(self) -> None:
        """There is no process."""


def test_only_the_spare_processes_wait_while_others_can_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two cores for four processes: two are spare."""
    monkeypatch.setattr(schedule, "number_of_cores", lambda: 2)
    waiting = [f"tests/run/test_make_run.py::test_{number}" for number in range(8)]
    working = [f"tests/games/test_{number}.py::test_a" for number in range(4)]
    nodes = [Node([*waiting, *working]) for _ in range(4)]
    config: Any = SimpleNamespace(option=SimpleNamespace(), getvalue=lambda _: ["popen"] * 4)
    given_out = Schedule(config)
    for node in nodes:
        given_out.add_node(node)
        given_out.add_node_collection(node, node.names)
    given_out.schedule()
    wait = [{waits(name) for name in node.given} for node in nodes]
    assert wait == [{True}, {True}, {False}, {False}]


@pytest.mark.long
def test_what_takes_long_begins_first(request: pytest.FixtureRequest) -> None:
    assert rank(request.node) == 0


def test_all_others_follow(request: pytest.FixtureRequest) -> None:
    assert rank(request.node) == 1
