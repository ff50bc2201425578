"""Fixtures that every room's tests may ask for: the cast, real servers, a mailbox of one's own."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest import runner
from django.conf import settings as django_settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import Client, TransactionTestCase
from psycopg._preparing import PrepareManager
from pytest_django import DjangoDbBlocker, Settings

from diplomacy_server.management.commands import tick
from games.queries.reports.drawing import DRAWING, DrawingProcess
from games.services.moderation.staff import moderator_appoint
from mailer import tasks
from mailer.cores import Cores
from mailer.inbound import processing
from mailer.jobs import due_phases
from mailer.outbound import pace
from tests import examples  # noqa: F401
from tests.kept import KEPT, keeping
from tests.migrated import making_test_database
from tests.plugin import commits, database_name, uses_database
from tests.servers import Dovecot, Redis, Relay
from tests.stack import with_deep_stack

pytest_plugins = ["tests.cast"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
) -> Iterator[None]:
    """SQLite is tested as it runs: a file in WAL mode, which other processes can open, too.

    It does not flush to the disk: our tests kill processes, never the machine under them. To our
    own PostgreSQL tests talk through its socket: by TCP a statement costs a fifth more. The servers
    that they start do so by TCP.
    """
    if database_name() != "SQLite":
        if sockets := os.environ.get("TESTS_OWN_POSTGRES"):
            django_settings.DATABASES["default"]["HOST"] = sockets
        yield
        return
    folder = Path(tempfile.mkdtemp(prefix="sqlite-"))
    test = django_settings.DATABASES["default"].setdefault("TEST", {})
    test["NAME"] = str(folder / "test.sqlite3")
    options = django_settings.DATABASES["default"]["OPTIONS"]
    options["init_command"] = options["init_command"].replace("FULL", "OFF")
    yield
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def migrated_once(
    django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[ExitStack]:
    """Until this is closed no other process of this run makes its test database."""
    with django_db_blocker.unblock(), ExitStack() as making:
        making.enter_context(making_test_database())
        yield making


@pytest.fixture(scope="session")
def django_db_setup(
    migrated_once: ExitStack, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """After a test that commits only those tables are emptied that the migrations left empty.

    Django would take the groups of the migrations away, too, which tests in the same process may
    rely on afterwards; and it would take ten times as long.
    """
    with django_db_blocker.unblock():
        migrated_once.close()
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        names = connection.introspection.django_table_names(only_existing=True, include_views=False)
        tables = [connection.ops.quote_name(name) for name in names if not _has_rows(cursor, name)]

    def empty(case: TransactionTestCase) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f"DELETE FROM {table}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty)
        with keeping(django_db_blocker) if connection.vendor == "postgresql" else nullcontext():
            yield


def _has_rows(cursor: CursorWrapper, table: str) -> bool:
    cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")
    return cursor.fetchone() is not None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Only tests of one module, with the same kind of fixtures, begin with what is kept."""
    KEPT.go_on(item.nodeid.partition("::")[0] if uses_database(item) and not commits(item) else "")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """Run each test as pytest does, with room on the stack."""
    return with_deep_stack(lambda: runner.pytest_runtest_protocol(item, nextitem))


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """The tests' own processes keep passwords by argon2, too, but cheaply.

    At its real settings each password costs a fifth of a second, on purpose, and tests type
    hundreds. Servers that tests start keep the real settings.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Argon2PasswordHasher, "time_cost", 1)
        patch.setattr(Argon2PasswordHasher, "memory_cost", 8)
        patch.setattr(Argon2PasswordHasher, "parallelism", 1)
        yield


@pytest.fixture(scope="session", autouse=True)
def a_worker_of_its_own() -> None:
    """What a worker's processes share they have from the one that they were forked from. So have
    the processes of a run (tests/forked.py), but each of them is a worker of its own."""
    DRAWING._asking.close()
    DRAWING._asked.close()
    vars(DRAWING).update(vars(DrawingProcess()))
    for cores in (processing._CORES, due_phases._CORES):
        vars(cores).update(vars(Cores()))


@pytest.fixture(scope="session", autouse=True)
def kept_statements() -> Iterator[None]:
    """Each test ends by undoing its transaction; what was prepared in it serves the next one, too.

    To plan it again took a tenth of the processor time of tests that write mails.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrepareManager, "clear", lambda _: False)
        yield


@pytest.fixture(autouse=True)
def no_domain_rests() -> None:
    """What a domain put off in one test is forgotten in the next."""
    pace.forget()


@pytest.fixture
def operator(db: None, client: Client) -> Client:
    """A browser in which somebody with every right of a superuser is signed in.

    A test that needs the cast asks for it first: among other users it takes ten times as long.
    """
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    return client


@pytest.fixture
def moderator(db: None, client: Client) -> Client:
    """A browser in which a moderator is signed in."""
    user = User.objects.create_user("mo", "mo@players.test")
    moderator_appoint(user=user)
    client.force_login(user)
    return client


@pytest.fixture
def time_travels_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database's clock shows what ours does, which a test set to another time."""
    for module in (tasks, tick):
        monkeypatch.setattr(module, "is_right", lambda at: True)


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """A private IMAP server in which every address is a mailbox."""
    with Dovecot() as server:
        yield server


@pytest.fixture(scope="session")
def session_relay(dovecot: Dovecot) -> Iterator[Relay]:
    relay = Relay(dovecot.lmtp_port)
    relay.start()
    yield relay
    relay.stop()


@pytest.fixture
def smtp(session_relay: Relay) -> Relay:
    """A private SMTP server in front of `dovecot`, healthy and empty at the start of a test."""
    session_relay.reset()
    return session_relay


@pytest.fixture(scope="session")
def session_redis() -> Iterator[Redis]:
    with Redis() as server:
        yield server


@pytest.fixture
def redis_server(session_redis: Redis) -> Redis:
    """A private Redis, empty at the start of a test."""
    session_redis.empty()
    return session_redis


@dataclass(frozen=True)
class JudgeMailbox:
    """The server's own mailbox for one test, at the real servers."""

    address: str
    imap_url: str
    dovecot: Dovecot
    smtp: Relay

    def deliver(self, raw: bytes, *, sender: str, to: str = "") -> None:
        """Send a mail to the judge (or to one of its reply addresses) by SMTP."""
        self.smtp.send(sender, to or self.address, raw)

    def mails(self, folder: str = "INBOX") -> list[bytes]:
        """The raw mails in one folder of the judge's mailbox."""
        return self.dovecot.mails(self.address, folder)


@pytest.fixture
def judge_mailbox(dovecot: Dovecot, smtp: Relay, settings: Settings) -> JudgeMailbox:
    """An empty mailbox that the settings of this test name as the judge's."""
    address = f"judge-{uuid.uuid4().hex[:8]}@game.test"
    mailbox = JudgeMailbox(address, dovecot.url(address), dovecot, smtp)
    settings.JUDGE_ADDRESS = address
    settings.IMAP_URLS = [mailbox.imap_url]
    settings.EMAIL_URL = smtp.url
    return mailbox
