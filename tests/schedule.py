"""Which process runs which tests, and in which order, when a run has several processes.

A module goes to one process as a whole, so that what it makes once is made once. Only the tests
that take longest are given out one by one, and begin first, so that no process is left with one of
them when all others have nothing more to do.

There are more processes than cores, so that no core stands idle while a test waits for a server:
only as many have tests that wait as there are too many of them, and the others work meanwhile. A
test that does not wait begins when it has a core: as many at once as there were processes took a
tenth more processor time, for they push each other out of its caches (`mailer/cores.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import pytest

from mailer.cores import number_of_cores

WAITING = ("tests/run/", "tests/flows/", "tests/crash/")
"""Where the tests are that start whole servers and wait for what these do."""

WALKING = ("tests/rights/",)
"""Where they come to every page there is."""

LONG = WAITING + WALKING

TOGETHER = ("tests/flows/test_two_servers", "tests/crash/test_kill_at_every")
"""Which of these start a process that all tests of the module use."""

IDLE = (
    *("tests/run/", "tests/crash/", "tests/flows/test_a_game_by", "tests/flows/test_outages"),
    *("tests/flows/test_two_servers", "tests/health/test_doctor", "tests/pages/test_browser"),
    *("tests/mailer/inbound/test_fetching", "tests/mailer/inbound/test_poller"),
    *("tests/mailer/inbound/test_postfix", "tests/test_staff_browser", "tests/test_staff_keys"),
)
"""Where tests wait for others more than they work."""

LAST = ("tests/judge/", "tests/atlas/")
"""Where no test takes long: what evens out the end."""


class Schedule:
    """Gives out modules, and the long tests one by one, in the order of the collection."""

    def __init__(self, tests: Iterable[tuple[int, str]], processes: int) -> None:
        """Of each test its number and its name."""
        self.units = OrderedDict[str, list[int]]()
        self.total = 0
        """How many tests it gives out in all."""
        self.add(tests)
        self.spare = max(processes - number_of_cores(), 1)

    def add(self, tests: Iterable[tuple[int, str]], *, first: bool = False) -> None:
        """Give out these tests, too, after or before the others."""
        before = list(self.units) if first else []
        for number, name in tests:
            self.units.setdefault(unit_of(name), []).append(number)
            self.total += 1
        for unit in before:
            self.units.move_to_end(unit)

    def next(self, at: Iterable[str]) -> tuple[str, list[int]]:
        """Return the name and the tests, each by its number, of what a process does next while the
        others are at those units; the empty name and no tests when all is given out."""
        if not self.units:
            return "", []
        if sum(map(waits, at)) >= self.spare:
            self.units.move_to_end(first_at_work(self.units), last=False)
        return self.units.popitem(last=False)

    def again(self, unit: str, tests: list[int]) -> None:
        """Give these tests of a unit out next: nobody is at them any more."""
        if tests:
            self.units[unit] = tests
            self.units.move_to_end(unit, last=False)


def unit_of(nodeid: str) -> str:
    """What is given to one process as a whole: the test's module; of the long ones the class or
    the test."""
    module, _, name = nodeid.partition("::")
    apart = nodeid.startswith(LONG) and not nodeid.startswith(TOGETHER)
    return f"{module}::{name.partition('::')[0]}" if apart else module


def first_at_work(units: Iterable[str]) -> str:
    """The first of these that does not wait; the first of all if there is none."""
    first, *others = units
    return next((unit for unit in (first, *others) if not waits(unit)), first)


def waits(nodeid: str) -> bool:
    """Whether a test waits more than it works, so that it needs no core for itself."""
    return nodeid.startswith(IDLE)


def rank(item: pytest.Item) -> int:
    """When the test's turn is: 0 for what takes longest."""
    if item.nodeid.startswith(LONG) or item.get_closest_marker("long"):
        return 0
    return 2 if comes_last(item.nodeid) else 1


def comes_last(nodeid: str) -> bool:
    """Whether the test is one of those that even out the end."""
    return nodeid.startswith(LAST)
