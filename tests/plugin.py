"""Loaded before Django's settings: chooses the database, and counts who was tested against what.

DATABASE_URL chooses the database. Without it a private PostgreSQL is started; it is stopped when
the tests are over. The last lines of a run say how many tests ran against which server. What runs
on the second database, and why, says `tests/second_database.py`.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import json
import logging
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import TransactionTestCase

from mailer.cores import Cores
from tests.migrated import first_alone
from tests.schedule import rank, waits
from tests.second_database import Notes
from tests.servers import MissingServer, Postgres

SERVER_FIXTURES = {
    "dovecot": "Dovecot",
    "smtp": "SMTP",
    "redis_server": "Redis",
    "postfix": "Postfix",
    "browser": "Chromium",
}
DATABASE_FIXTURES = {
    "db",
    "transactional_db",
    "django_db_reset_sequences",
    "django_db_serialized_rollback",
    "live_server",
}
COMMITTING_FIXTURES = DATABASE_FIXTURES - {"db"}
SERVERS = ("PostgreSQL", "SQLite", *SERVER_FIXTURES.values())
SERVERS_KEY = "servers"
SECOND = "SQLite"
"""The second database of a run that has two."""

# No test may reach a server that happens to run on this machine: nothing listens on port 1.
ENVIRONMENT = {
    "IMAP_URL": "imap://nobody:nobody@127.0.0.1:1/INBOX",
    "EMAIL_URL": "smtp://127.0.0.1:1",
    "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
    "JUDGE_ADDRESS": "judge@game.test",
    "SECRET_KEY": "a key for tests only, long enough for the system checks to be content",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("servers")
    group.addoption(
        "--need-servers",
        metavar="A,B",
        default="",
        help="fail unless at least one test ran against each of these servers",
    )
    group.addoption(
        "--server-counts", metavar="FILE", help="also write outcomes and tests per server as JSON"
    )
    group.addoption(
        "--second-database",
        choices=["differs", "all"],
        help="run on SQLite, too, what may differ there, or all that uses a database;"
        " needs --processes",
    )


def shared_folder() -> Path:
    """Where the processes of one run leave what they need once; it goes with the first of them."""
    if "TESTS_SHARED" not in os.environ:
        folder = tempfile.mkdtemp(prefix="tests-shared-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["TESTS_SHARED"] = folder
    return Path(os.environ["TESTS_SHARED"])


def statements() -> Path:
    """Where each process of a run writes what its tests have sent the first database."""
    folder = shared_folder() / "statements"
    folder.mkdir(exist_ok=True)
    return folder


def set_environment() -> None:
    """Put in place what the settings read; a private PostgreSQL goes with this process."""
    os.environ.update(ENVIRONMENT)
    shared_folder()
    if "DATABASE_URL" in os.environ:
        return
    postgres = Postgres()
    # Not a hook of pytest: a run that ends in its own configuration calls none.
    atexit.register(postgres.__exit__)
    try:
        postgres.__enter__()
    except MissingServer as error:
        raise pytest.UsageError(
            f"{error}. Or set DATABASE_URL=sqlite:////path/to/file to test on SQLite."
        ) from error
    os.environ["DATABASE_URL"] = postgres.url("postgres")
    os.environ["TESTS_OWN_POSTGRES"] = str(postgres.sockets)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Iterator[None]:
    """pytest-django reads the settings in this hook, so the environment must stand before it."""
    set_environment()
    yield


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Let the collector of garbage pass over what stays to the end: modules and 18,000 tests.

    Looking through them again and again took a third of the collection's time, and a tenth of the
    tests'. What is garbage by then is little, and stays, too: to find it took half a second.

    On a fresh machine one run collects before the others: pytest writes the asserts of every module
    again, and Hypothesis reads them all, which the others then find done.
    """
    gc.disable()
    with first_alone("collected"):
        yield
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # the tests make rows by the thousand: 5 % of their time
    gc.enable()


def database_name() -> str:
    """What the tests of this run call their database."""
    return "SQLite" if os.environ["DATABASE_URL"].startswith("sqlite") else "PostgreSQL"


def uses_database(item: pytest.Item) -> bool:
    """Whether pytest-django gives this test a database."""
    wanted = set(getattr(item, "fixturenames", ()))
    case = getattr(item, "cls", None)
    return (
        item.get_closest_marker("django_db") is not None
        or bool(wanted & DATABASE_FIXTURES)
        or (case is not None and issubclass(case, TransactionTestCase))
    )


def commits(item: pytest.Item) -> bool:
    """Whether the test works with transactions of its own, which other connections see."""
    marker = item.get_closest_marker("django_db")
    case = getattr(item, "cls", None)
    return (
        (marker is not None and bool(marker.kwargs.get("transaction")))
        or bool(COMMITTING_FIXTURES & set(getattr(item, "fixturenames", ())))
        or (case is not None and issubclass(case, TransactionTestCase))
    )


def always_on_both(item: pytest.Item) -> bool:
    """Whether the test runs on both databases whatever it sends (tests/second_database.py)."""
    commits_here = commits(item) and item.get_closest_marker("on_one") is None
    return uses_database(item) and (commits_here or item.get_closest_marker("on_both") is not None)


def servers_of(item: pytest.Item) -> list[str]:
    """The servers that a test runs against in this process."""
    wanted = set(getattr(item, "fixturenames", ()))
    servers = [name for fixture, name in SERVER_FIXTURES.items() if fixture in wanted]
    return [database_name(), *servers] if uses_database(item) else servers


def belongs_on(database: str, item: pytest.Item) -> bool:
    """Whether the test is for this database, or for any."""
    marker = item.get_closest_marker("only_on")
    return marker is None or database in marker.args


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is for neither database of this run."""
    databases = [database_name(), *([SECOND] if config.getoption("--second-database") else [])]
    here: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        here[any(belongs_on(database, item) for database in databases)].append(item)
    if here[False]:
        config.hook.pytest_deselected(items=here[False])
    items[:] = sorted(here[True], key=rank) if config.getoption("--processes") else here[True]


class Counts:
    """How many tests ran against each server, in the process that reports."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.tests: Counter[str] = Counter()
        needed = str(config.getoption("--need-servers"))
        self.needed = [name for name in needed.split(",") if name]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and not report.skipped:
            for key, value in report.user_properties:
                if key == SERVERS_KEY and isinstance(value, list):
                    self.tests.update(value)

    @property
    def untested(self) -> list[str]:
        return [name for name in self.needed if not self.tests[name]]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.untested and not self.config.getoption("collectonly"):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        target = self.config.getoption("--server-counts")
        if target:
            counts = {"servers": self.tests, "outcomes": self.outcomes()}
            Path(str(target)).write_text(json.dumps(counts))

    def outcomes(self) -> dict[str, int]:
        """How many tests passed, failed, … as pytest's own last line says."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        stats = reporter.stats if reporter else {}
        return {key: len(reports) for key, reports in stats.items() if key}

    def pytest_unconfigure(self) -> None:
        """The last lines, after pytest's own."""
        if self.config.getoption("collectonly"):
            return
        shown = [name for name in SERVERS if name in self.needed or self.tests[name]]
        if shown:
            counts = ", ".join(f"{name} {self.tests[name]}" for name in shown)
            print("tests per server:", counts)
        if self.untested:
            print("FAILED: no test ran against", ", ".join(self.untested))


@functools.cache
def _cores() -> Cores:
    """The cores for which all processes of this run wait."""
    file = os.open(shared_folder() / "cores", os.O_RDWR | os.O_CREAT, 0o600)
    return Cores(patience=60, file=file)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Have a test run when there is a core for it, with its fixtures; one that waits, at once.

    Its reports carry what it runs against to the process that counts.
    """
    item.user_properties.append((SERVERS_KEY, servers_of(item)))
    with contextlib.nullcontext() if waits(item.nodeid) else _cores().one():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that has the server log a secret."""
    from tests.logs import SCAN, listen  # needs Django's settings

    listen()
    yield
    if leaked := SCAN.taken():
        pytest.fail("the log holds a secret:\n" + "\n".join(leaked))


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--second-database") and not config.getoption("--processes"):
        raise pytest.UsageError("--second-database needs --processes: nothing would run there")
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # every line aiosmtpd hears
    config.addinivalue_line("markers", "only_on(database): for PostgreSQL or for SQLite only")
    config.addinivalue_line("markers", "on_both: its subject is what databases do differently")
    config.addinivalue_line("markers", "on_one: it commits, but not to see what databases do")
    config.addinivalue_line("markers", "long: takes long, so it begins first")
    if config.getoption("--second-database"):
        config.pluginmanager.register(Notes(statements(), always_on_both), "statements")
    config.pluginmanager.register(Counts(config), "server-counts")
