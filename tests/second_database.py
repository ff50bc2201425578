"""Which tests run on the second database, too: by a rule, so that nobody has to remember it.

Everything runs on PostgreSQL. On SQLite run

1. the tests that commit: locks, isolation and several processes at once are the database's own
   (but for those marked `on_one`, which commit because a mail server or a player is to see what
   was done);
2. the tests marked `on_both`: their subject is what the two store and compare, each in its way
   (letter case, order, JSON, times, constraints), or the migrations;
3. of all others, as many as it takes to send SQLite every statement that the code sends in any
   test: each query that it can ask is understood and answered there, in a test that looks at the
   answer. What a test asks by itself, to prepare something or to look at it, is no query of ours.

On PostgreSQL the statements of each test are noted; `for_both` then picks the cheapest tests that
send all of them (but for what only tests send that are for PostgreSQL alone). What remains says
nothing new about the database: it asks the same questions with other values. The processes that
have run the others go on to these (`tests/second_run.py`). Once a night everything runs on both
(`python -m tests --all`).
"""

from __future__ import annotations

import heapq
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.utils.module_loading import import_string

_TESTS = str(Path(__file__).resolve().parent) + os.sep
_ROOT = str(Path(__file__).resolve().parent.parent) + os.sep
_RUN_IT = (__file__, _TESTS + "forked.py")
_VALUES = re.compile(r"%s(?:, %s)+")
_ROWS = re.compile(r"\(%s\)(?:, \(%s\))+")
_NUMBER = re.compile(r"\d+")
WAYS = (
    ("django.db.backends.utils.CursorWrapper", "_execute_with_wrappers"),
    ("games.models.direct.Direct", "sent"),
)
"""The ways in which statements go out."""
_UNTOLD = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "SET CONSTRAINTS", "PRAGMA", "EXPLAIN")


@dataclass
class DatabaseUse:
    """What one test did to the database."""

    always: bool
    """Whether the test runs on both databases whatever it sends (rules 1 and 2)."""
    seconds: float = 0.0
    """Processor time of the test with its fixtures."""
    shapes: set[int] = field(default_factory=set)
    """The statements that the code sent in it, each by the number of its shape."""


def shape(sql: str) -> int:
    """Return a number for the statement, the same whatever and however many its values are."""
    values = _ROWS.sub("(%s)", _VALUES.sub("%s", sql))
    return crc32(_NUMBER.sub("0", values).encode())


def for_both(tests: Mapping[str, DatabaseUse]) -> set[str]:
    """Return the names of the tests to run on the second database.

    Those that always do, and then, again and again, the one with the most statements for its time
    that nobody has sent yet: not the fewest there could be, but never one that adds nothing.
    """
    names = {name for name, test in tests.items() if test.always}
    missing = set[int]().union(*(test.shapes for test in tests.values()))
    missing -= set[int]().union(*(tests[name].shapes for name in names))

    def worth(name: str) -> float:
        test = tests[name]
        return len(test.shapes & missing) / (test.seconds + 0.01)

    queue = [(-worth(name), name) for name in sorted(tests.keys() - names)]
    heapq.heapify(queue)
    while missing and queue:
        was, name = heapq.heappop(queue)
        now = -worth(name)
        if now > was:  # others have sent some of its statements since it was put in
            heapq.heappush(queue, (now, name))
        elif now:
            names.add(name)
            missing -= tests[name].shapes
    return names


def asked_by_a_test() -> bool:
    """Whether nothing of ours stands between a test, or what helps it, and the statement that is
    being sent."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        name = frame.f_code.co_filename
        if name.startswith(_ROOT) and "site-packages" not in name and name not in _RUN_IT:
            return name.startswith(_TESTS)
    return False


class Notes:
    """Notes in each process what every test sends; writes it into a folder at the end."""

    def __init__(self, folder: Path, always: Callable[[pytest.Item], bool]) -> None:
        self.folder = folder
        self.always = always
        self.tests: dict[str, DatabaseUse] = {}
        self.shapes: dict[str, int] = {}
        self.sent: set[str] = set()
        self.listens = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._listen()
        self.sent.clear()
        begun = time.process_time()
        result = yield
        seconds = time.process_time() - begun
        shapes = {self._shape(sql) for sql in self.sent if not sql.startswith(_UNTOLD)}
        self.tests[item.nodeid] = DatabaseUse(self.always(item), seconds, shapes)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Leave out what made the database: it belongs to no test, least of all to the first."""
        result = yield
        if fixturedef.argname == "django_db_setup":
            self.sent.clear()
        return result

    def _listen(self) -> None:
        """Have both ways in which statements go out noted, once in a process.

        Not by a wrapper of the connection's: games/models/cursors.py would leave the quick way.
        """
        if self.listens:
            return
        self.listens = True
        for path, name in WAYS:
            owner = import_string(path)  # a plugin is loaded before the models may be
            setattr(owner, name, self.noting(getattr(owner, name)))

    def noting(self, send: Callable[..., Any]) -> Callable[..., Any]:
        """Return what notes a statement, if the code sends it, and sends it."""

        def sent(one: object, sql: object, *given: Any, **more: Any) -> Any:
            if (text := str(sql)) not in self.sent and not asked_by_a_test():
                self.sent.add(text)
            return send(one, sql, *given, **more)

        return sent

    def _shape(self, sql: str) -> int:
        if sql not in self.shapes:
            self.shapes[sql] = shape(sql)
        return self.shapes[sql]

    def pytest_sessionfinish(self) -> None:
        rows = {
            name: [test.always, test.seconds, sorted(test.shapes)]
            for name, test in self.tests.items()
            if test.always or test.shapes
        }
        (self.folder / f"{os.getpid()}.json").write_text(json.dumps(rows))


def noted(folder: Path) -> dict[str, DatabaseUse]:
    """Read what the processes of a run wrote into the folder."""
    return {
        name: DatabaseUse(always, seconds, set(shapes))
        for path in folder.glob("*.json")
        for name, (always, seconds, shapes) in json.loads(path.read_text()).items()
    }
