"""`--second-database`: the processes of one run go on to SQLite, with what they have collected.

Which tests run there at once, and which when it is known what the others have sent the first
database, says `tests/second_database.py`. Meanwhile the tests that use no database go on
(`tests/schedule.py`), so that no core stands idle at the end of the first.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, connections

from tests.migrated import shared
from tests.plugin import SECOND, always_on_both, belongs_on, database_name, uses_database
from tests.schedule import comes_last
from tests.second_database import for_both, noted

Numbered = Iterator[tuple[int, str]]
"""Tests, each by its place in the collection and its name."""


class Second:
    """Which of the collected tests run on which database."""

    def __init__(self, items: list[pytest.Item], notes: Path, *, every: bool) -> None:
        """With `every`, all run on both that use a database."""
        self.items = items
        self.notes = notes
        self.here = {n for n, item in enumerate(items) if self._is_possible(item)}
        self.known = {n for n in self.here if every or self._is_certain(items[n])}

    def _is_possible(self, item: pytest.Item) -> bool:
        on_first = belongs_on(database_name(), item)
        return belongs_on(SECOND, item) and (uses_database(item) or not on_first)

    def _is_certain(self, item: pytest.Item) -> bool:
        return always_on_both(item) or item.get_closest_marker("only_on") is not None

    def on_the_first(self) -> Numbered:
        """The tests on the first database, but for those without one that can come last."""
        return (
            (number, item.nodeid)
            for number, item in enumerate(self.items)
            if belongs_on(database_name(), item) and not _needs_neither(item)
        )

    def at_once(self) -> Numbered:
        """The tests that certainly run on the second, then those that come last."""
        for number in sorted(self.known):
            yield number, self.items[number].nodeid
        for number, item in enumerate(self.items):
            if _needs_neither(item):
                yield number, item.nodeid

    def then(self) -> Numbered:
        """When the first database has been sent everything: those that the second needs besides."""
        tests = noted(self.notes)
        here = {self.items[number].nodeid: number for number in self.here}
        chosen = for_both({name: test for name, test in tests.items() if name in here})
        names = sorted((here[name], name) for name in chosen if here[name] not in self.known)
        sent = len(set[int]().union(*(test.shapes for test in tests.values())))
        every = len(names) + len(self.known)
        print(f"\n{sent} statements, sent by {len(tests)} tests: {every} run on {SECOND}")
        yield from names


def _needs_neither(item: pytest.Item) -> bool:
    """Whether the test is one of those that even out the end, whichever database its process
    uses."""
    for_one = item.get_closest_marker("only_on") is not None
    return comes_last(item.nodeid) and not (for_one or uses_database(item))


def name_on_second(nodeid: str) -> str:
    """Return how the test is named in reports, as if the database were a parameter of it."""
    return f"{nodeid[:-1]}-{SECOND}]" if nodeid.endswith("]") else f"{nodeid}[{SECOND}]"


def turn_to_the_second() -> None:
    """Have this process, which was forked before it used the first database, use the second.

    Nothing but `DATABASES` is another, and what other apps have added to the settings stays.
    """
    os.environ["DATABASE_URL"] = f"sqlite:///{shared()}/tests.sqlite3"
    module = importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"])
    settings.DATABASES = importlib.reload(module).DATABASES
    connections.settings = connections.configure_settings(None)
    with suppress(AttributeError):  # nobody has asked for it
        del connections["default"]
    assert connection.vendor == "sqlite"
