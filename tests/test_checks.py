"""A start with an unsafe or impossible setting is refused, and each refusal says what to do."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from runpy import run_path

import psycopg
import pytest
from celery import signals
from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error, run_checks
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from environ import Env
from pytest_django import Settings

import manage
from diplomacy_server.celery import begin_with_the_right_tables
from diplomacy_server.checks import _no_key, settings_are_safe
from diplomacy_server.env_file import load
from diplomacy_server.environment import MOST_DAYS, Environment
from diplomacy_server.tables import tables_are_todays
from games.errors import BadInput
from games.proofs.keys import list_beside, make_key
from mailer.workers.right_tables import REFUSAL, newest_migrations
from tests.cast import NOW
from tests.flows.server import database_url, forked
from tests.migrated import server_of

ROOT = Path(__file__).resolve().parent.parent
REAL = {
    "SECRET_KEY": "x" * 50,
    "SITE_URL": "https://games.example.org",
    "ALLOWED_HOSTS": ["games.example.org"],
    "JUDGE_ADDRESS": "judge@games.example.org",
    "IMAP_URLS": ["imaps://judge:secret@mail.example.org:993/INBOX"],
    "EMAIL_URL": "smtp+tls://judge:secret@mail.example.org:587",
    "OPERATOR_ADDRESSES": ["ada@example.org"],
    "SENTRY_IS_INSTALLED": False,
    "DEBUG": False,
    "DEMO": False,
}


@pytest.fixture
def real(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A real server's settings with which nothing is wrong."""
    choose_database("postgresql", monkeypatch)
    settings.STATIC_ROOT = tmp_path
    settings.BASE_DIR = settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o700)
    (tmp_path / "collected.css").touch()
    for name, value in REAL.items():
        setattr(settings, name, value)
    keys = tmp_path.with_name(f"{tmp_path.name}-keys")
    keys.mkdir()
    settings.RECEIPT_KEY_FILE = keys / "receipts.key"
    make_key(settings.RECEIPT_KEY_FILE, now=NOW)
    return settings


@pytest.fixture
def home(settings: Settings) -> Settings:
    """The settings of somebody trying it out, without a single variable."""
    settings.SECRET_KEY = settings.UNSAFE_SECRET_KEY
    settings.SITE_URL = "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
    settings.JUDGE_ADDRESS = "judge@localhost"
    settings.IMAP_URLS = ["imap://judge:judge@127.0.0.1:8143/INBOX"]
    settings.EMAIL_URL = "smtp://127.0.0.1:8025"
    settings.DEBUG = settings.DEMO = False
    return settings


def choose_database(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the word that the check reads; no connection is made with it."""
    database = django_settings.DATABASES["default"]
    monkeypatch.setitem(database, "ENGINE", f"django.db.backends.{engine}")


def findings() -> list[CheckMessage]:
    return settings_are_safe(None)


def ids() -> list[str | None]:
    return [finding.id for finding in findings()]


def test_a_real_server_that_is_set_up_well_passes(real: Settings) -> None:
    assert findings() == []


def test_trying_it_out_without_any_variable_passes(home: Settings) -> None:
    assert findings() == []


def test_the_command_that_makes_a_key_is_not_taken_for_a_key(real: Settings) -> None:
    """Everybody can read it on the operators' page."""
    real.SECRET_KEY = "<python3 -c 'import secrets; print(secrets.token_urlsafe(48))'>"
    (finding,) = findings()
    assert finding.id == "diplomacy.E001"
    assert "write the line it prints" in str(finding.hint)


def test_a_short_key_will_do_on_this_machine(home: Settings) -> None:
    home.SECRET_KEY = "short"
    assert findings() == []


def test_the_demo_on_this_machine_passes(home: Settings) -> None:
    home.DEMO = True
    assert findings() == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SECRET_KEY", "short", "diplomacy.E002"),
        ("DEBUG", True, "diplomacy.E003"),
        ("JUDGE_ADDRESS", "judge", "diplomacy.E004"),
        ("JUDGE_ADDRESS", "Judge <judge@games.example.org>", "diplomacy.E004"),
        ("JUDGE_ADDRESS", "judge+x@games.example.org", "diplomacy.E004"),
        ("JUDGE_ADDRESS", "judge@localhost", "diplomacy.E005"),
        ("TIME_ZONE", "Europe/Berlin", "diplomacy.E006"),
        ("USE_TZ", False, "diplomacy.E006"),
        ("IMAP_URLS", [], "diplomacy.E007"),
        ("IMAP_URLS", ["pop3://judge:secret@mail.example.org"], "diplomacy.E007"),
        ("IMAP_URLS", ["imaps://mail.example.org/INBOX"], "diplomacy.E007"),
        ("IMAP_URLS", ["imaps://judge:secret@mail.example.org:many/INBOX"], "diplomacy.E007"),
        ("IMAP_URLS", ["imaps://judge:a[b@mail.example.org/INBOX"], "diplomacy.E007"),
        ("EMAIL_URL", "smtp+tls://judge:a]b[c@mail.example.org:587", "diplomacy.E008"),
        ("IMAP_URLS", ["imaps://judge:a@b/1#c@mail.example.org/INBOX"], "diplomacy.E007"),
        ("EMAIL_URL", "smtp+tls://judge:12#b@mail.example.org:587", "diplomacy.E008"),
        ("EMAIL_URL", "smtp+tls://judge:12?b@mail.example.org:587", "diplomacy.E008"),
        ("EMAIL_URL", "mail.example.org", "diplomacy.E008"),
        ("EMAIL_URL", "smtp://", "diplomacy.E008"),
        ("EMAIL_URL", "smtp+tls://judge:größer@mail.example.org:587", "diplomacy.E019"),
        ("IMAP_URLS", ["imaps://judge:gr%C3%B6%C3%9Fer@mail.example.org"], "diplomacy.E019"),
        ("EMAIL_URL", "smtp://judge:secret@mail.example.org:25", "diplomacy.W007"),
        ("IMAP_URLS", ["imap://judge:secret@mail.example.org"], "diplomacy.W007"),
        ("DEMO", True, "diplomacy.E009"),
        ("SENTRY_DSN", "https://key@sentry.example.org/1", "diplomacy.E011"),
        ("SITE_URL", "http://games.example.org", "diplomacy.W003"),
        ("SITE_URL", "htps://games.example.org", "diplomacy.E021"),
        ("SITE_URL", "https://games.example.org/play", "diplomacy.E021"),
        ("SITE_URL", "https://games.example.org:many", "diplomacy.E021"),
        ("SITE_URL", "https://[::1", "diplomacy.E021"),
        ("SITE_URL", "https://game.example.org", "diplomacy.W009"),
        ("ALLOWED_HOSTS", ["https://games.example.org"], "diplomacy.E022"),
        ("SECURITY_CONTACT", "ada", "diplomacy.E023"),
        ("TRUSTED_AUTHSERV_ID", "mx.example.org mx2.example.org", "diplomacy.E024"),
        ("TRUSTED_AUTHSERV_ID", "mx.example.org;", "diplomacy.E024"),
        ("CELERY_BROKER_URL", "amqp://broker.example.org", "diplomacy.E013"),
        ("CELERY_BROKER_URL", "redis://", "diplomacy.E013"),
        ("CELERY_BROKER_URL", "redis://:a[b@broker.example.org", "diplomacy.E013"),
        ("CELERY_BROKER_URL", "localhost:6379", "diplomacy.E013"),
        ("CELERY_BROKER_URL", "redis://broker.example.org:99999/0", "diplomacy.E013"),
        ("CELERY_BROKER_URL", "redis://broker.example.org:6379/games", "diplomacy.E013"),
        ("METRICS_FROM", ["127.0.0.1", "monitor"], "diplomacy.E016"),
        ("PING_URL", "hc-ping.example.org/1", "diplomacy.E017"),
        ("OPERATOR_ADDRESSES", ["ada"], "diplomacy.E014"),
        ("OPERATOR_ADDRESSES", [], "diplomacy.W004"),
    ],
)
def test_one_wrong_setting_is_named_by_its_id(
    real: Settings, name: str, value: object, expected: str
) -> None:
    setattr(real, name, value)
    assert ids() == [expected]
    assert all(finding.hint for finding in findings())


def test_a_mailbox_by_starttls_is_as_good_as_one_by_tls(real: Settings) -> None:
    real.IMAP_URLS = ["imap+tls://judge:secret@mail.example.org/INBOX"]
    assert ids() == []


@pytest.mark.parametrize("sign", "/#?[")
def test_a_sign_that_divides_the_url_is_refused_with_how_to_write_it(
    real: Settings, sign: str
) -> None:
    real.IMAP_URLS = [f"imaps://judge:12{sign}b@mail.example.org/INBOX"]
    said = "".join(str(finding.hint) for finding in findings())
    assert f"{sign} as %{ord(sign):02X}" in said


@pytest.mark.parametrize(
    "password", ["open/sesame", "open:sesame", "open@sesame", "open#sesame", "open?sesame"]
)
def test_a_password_with_a_sign_that_divides_the_url_is_not_repeated(
    real: Settings, password: str
) -> None:
    real.EMAIL_URL = f"smtp+ssl2://judge:{password}@mail.example.org:587"
    real.IMAP_URLS = [f"imap4://judge:{password}@mail.example.org"]
    assert ids() == ["diplomacy.E007", "diplomacy.E008"]
    assert "sesame" not in str(findings())


STAND_IN = """
def init(**how):
    if "nonsense" in how["dsn"]:
        raise ValueError("Unsupported scheme")
    print({name: one for name, one in how.items() if name != "before_send"})
    print(how["before_send"].__name__)
"""
"""As much of the package sentry_sdk as we call; it is on no list of ours."""


@pytest.mark.parametrize("dsn", ["https://key@sentry.example.org/1", "nonsense"])
def test_errors_are_reported_without_words_and_a_wrong_address_is_named(
    tmp_path: Path, dsn: str
) -> None:
    (tmp_path / "sentry_sdk.py").write_text(STAND_IN)
    code = "from diplomacy_server import settings as s; print([f.name for f in s.SETTING_FAULTS])"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "SENTRY_DSN": dsn}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**environment, "VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    if dsn == "nonsense":
        assert done.stdout == "['SENTRY_DSN']\n"
        return
    said, hook, faults = done.stdout.splitlines()
    assert "'send_default_pii': False" in said
    assert "'include_local_variables': False" in said
    assert "'max_request_body_size': 'never'" in said
    assert (hook, faults) == ("without_words", "[]")


def test_the_key_that_stands_in_the_source_is_refused(real: Settings) -> None:
    real.SECRET_KEY = real.UNSAFE_SECRET_KEY
    assert ids() == ["diplomacy.E001"]


def test_sqlite_is_named_as_a_limit_on_a_real_server(
    real: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_database("sqlite3", monkeypatch)
    assert ids() == ["diplomacy.W001"]


@pytest.mark.parametrize(("mode", "expected"), [(0o600, []), (0o640, ["diplomacy.W005"])])
def test_secrets_that_others_on_the_machine_may_read_are_noticed(
    real: Settings, tmp_path: Path, mode: int, expected: list[str]
) -> None:
    (tmp_path / ".env").touch()
    (tmp_path / ".env").chmod(mode)
    assert ids() == expected


def test_a_server_without_a_key_for_receipts_is_noticed(real: Settings) -> None:
    real.RECEIPT_KEY_FILE.unlink()
    assert ids() == ["diplomacy.W006"]


@pytest.mark.parametrize("damage", ["nonsense", "no list", "another list", "bad list"])
def test_a_key_for_receipts_that_would_prove_nothing_is_refused(
    real: Settings, damage: str, tmp_path: Path
) -> None:
    listed = list_beside(real.RECEIPT_KEY_FILE)
    if damage == "nonsense":
        real.RECEIPT_KEY_FILE.write_text("nonsense")
    elif damage == "no list":
        listed.unlink()
    elif damage == "bad list":
        listed.write_text("0f1e2d3c nonsense 2026-03-02\n")
    else:
        make_key(tmp_path / "other.key", now=NOW)
        listed.write_text((tmp_path / "other.pub").read_text())
    assert ids() == ["diplomacy.E018"]


def test_a_key_that_we_may_not_read_is_to_be_given_back_and_not_replaced(tmp_path: Path) -> None:
    """Root has written it, most likely, and receipts are signed by it."""
    denied = BadInput("There is no key that we can read.")
    denied.__cause__ = PermissionError(13, "Permission denied")
    told = _no_key(tmp_path / "receipts.key", denied)
    assert f"sudo chown -R diplomacy: {tmp_path}/receipts.key" in str(told.hint)
    assert "--new" not in str(told.hint)


def test_static_files_that_were_not_collected_are_noticed(real: Settings, tmp_path: Path) -> None:
    (tmp_path / "collected.css").unlink()
    assert ids() == ["diplomacy.W002"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SITE_URL", "https://games.example.org"),
        ("ALLOWED_HOSTS", ["*"]),
        ("ALLOWED_HOSTS", ["127.0.0.1", "games.example.org"]),
        ("ALLOWED_HOSTS", [".example.org"]),
        ("ALLOWED_HOSTS", ["192.168.1.10"]),
        ("ALLOWED_HOSTS", ["[2001:db8::1]"]),
        ("IMAP_URLS", ["imaps://judge:secret@mail.example.org/INBOX"]),
        ("EMAIL_URL", "smtp://relay.example.org:25"),
    ],
)
def test_the_demo_is_refused_by_whatever_leads_beyond_this_machine(
    home: Settings, name: str, value: object
) -> None:
    home.DEMO = True
    setattr(home, name, value)
    assert "diplomacy.E009" in ids()


def test_the_demo_never_runs_with_a_debugger(home: Settings) -> None:
    home.DEMO = home.DEBUG = True
    assert ids() == ["diplomacy.E010"]


def test_a_password_in_a_wrong_url_is_not_printed(real: Settings) -> None:
    real.EMAIL_URL = "http://judge:open-sesame@mail.example.org:many"
    messages = [str(finding) for finding in findings()]
    assert messages
    assert not any("open-sesame" in message for message in messages)


def test_what_stops_the_server_is_an_error(real: Settings) -> None:
    real.DEMO = True
    assert all(isinstance(finding, Error) for finding in findings())


REAL_WITH_DEMO = {"DEMO": "1", "SITE_URL": "https://games.example.org"}


def test_a_command_on_a_real_server_with_the_demo_switched_on_is_refused(tmp_path: Path) -> None:
    code, said = started(["tick"], tmp_path, **REAL_WITH_DEMO)
    assert code == 1
    assert "diplomacy.E009" in said


def test_a_real_web_server_with_the_demo_switched_on_is_refused(tmp_path: Path) -> None:
    environment = os.environ | {
        **REAL_WITH_DEMO,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'never.sqlite3'}",
    }
    done = subprocess.run(
        [sys.executable, "-c", "import diplomacy_server.wsgi"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "diplomacy.E009" in done.stderr


NONSENSE = {
    "TICK_SECONDS": ["0", "abc", "-1", "nan", "inf"],
    "POLL_SECONDS": ["1 minute"],
    "OUTAGE_SECONDS": ["1e300", "0"],
    "MAILS_PER_HOUR": ["0", "1.5", "99999999999999999999", "many"],
    "MAIL_DAYS": ["99999999"],
    "STRANGERS_PER_HOUR": ["0"],
    "REFUSALS_PER_DAY": ["-1"],
    "WEB_PORT": ["0", "99999", "http"],
    "DEMO": ["maybe"],
    "LOG_LEVEL": ["LOUD"],
    "DATABASE_URL": [
        "games",
        "sqlite://",
        "mysql://user:open-sesame@host/name",
        "postgres://a:open-sesame@",
    ],
}


def started(command: list[str], tmp_path: Path, **environment: str) -> tuple[int, str]:
    """Run `manage.py` with these variables: its exit code and all it wrote."""
    env = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'none.sqlite3'}",
    }
    return forked(env | environment, *command)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in NONSENSE.items() for value in values]
)
def test_nonsense_is_a_fault_with_a_name_and_what_would_do(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    read = Environment(Env())
    {
        "MAILS_PER_HOUR": lambda: read.count(name, 300),
        "STRANGERS_PER_HOUR": lambda: read.count(name, 100),
        "REFUSALS_PER_DAY": lambda: read.count(name, 50, least=0),
        "MAIL_DAYS": lambda: read.count(name, 0, least=0, most=MOST_DAYS),
        "WEB_PORT": lambda: read.port(name, 8000),
        "DEMO": lambda: read.switch(name, default=False),
        "LOG_LEVEL": lambda: read.choice(name, "INFO", ("DEBUG", "INFO")),
        "DATABASE_URL": lambda: read.database(name, "sqlite:////tmp/none"),
    }.get(name, lambda: read.seconds(name, 5.0, least=0.1))()
    assert [(fault.name, fault.value) for fault in read.faults] == [(name, value)]


@pytest.mark.parametrize(
    ("name", "value", "read_as"),
    [("DEMO", "YES", True), ("DEMO", "off", False), ("DEMO", "", True), ("DEMO", " 0 ", False)],
)
def test_a_switch_is_read_as_people_write_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, read_as: bool
) -> None:
    monkeypatch.setenv(name, value)
    read = Environment(Env())
    assert read.switch(name, default=True) is read_as
    assert read.faults == []


def test_all_nonsense_is_named_at_once_without_a_trace_or_a_password(tmp_path: Path) -> None:
    nonsense = {name: values[-1] for name, values in NONSENSE.items()}
    code, said = started(["check"], tmp_path, **nonsense, VAR_DIR="/proc/nowhere")
    assert code == 1
    assert all(f"{name} is " in said for name in (*nonsense, "VAR_DIR"))
    assert "Traceback" not in said
    assert "open-sesame" not in said


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="it has no other encoding")
def test_a_database_that_cannot_keep_what_people_write_is_refused(tmp_path: Path) -> None:
    name = f"{connection.settings_dict['NAME']}_ascii"
    with psycopg.connect(server_of(connection), autocommit=True) as server:
        server.execute(f'drop database if exists "{name}"')
        server.execute(
            f"create database \"{name}\" encoding 'SQL_ASCII' locale 'C' template template0"
        )
        try:
            url = f"{database_url().rpartition('/')[0]}/{name}"
            code, said = started(["check"], tmp_path, DATABASE_URL=url)
        finally:
            server.execute(f'drop database "{name}"')
    assert code == 1
    assert "keeps text as SQL_ASCII, not as UTF8" in said
    assert "createdb -O USER -E UTF8" in said
    assert "no issues" not in said


@pytest.mark.django_db
@pytest.mark.on_both
@pytest.mark.parametrize("us", ["root", "daemon"])
def test_others_are_told_to_work_as_the_servers_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, us: str
) -> None:
    """What root writes, static files for instance, the server cannot read: nothing starts."""
    settings = tmp_path / ".env"
    assert manage.owner_to_work_as(settings) is None, "a checkout, or a container"
    settings.touch(mode=0o600)
    assert manage.owner_to_work_as(settings) is None, "our own"
    if os.geteuid() == 0:
        os.chown(settings, pwd.getpwnam("nobody").pw_uid, -1)
    monkeypatch.setattr(os, "geteuid", lambda: pwd.getpwnam(us).pw_uid)
    monkeypatch.setattr(os, "access", lambda *_: us == "root")
    monkeypatch.setattr(manage, "ENV_FILE", settings)
    with pytest.raises(SystemExit) as told:
        manage.refuse_others(["manage.py", "rollback_game", "marne", "--why", "it's a slip; sorry"])
    assert str(told.value) == (
        f"You are {us}, and this server works as {settings.owner()}. "
        f"Write: sudo -u {settings.owner()} .venv/bin/python manage.py rollback_game marne "
        "--why 'it'\"'\"'s a slip; sorry'"
    )


def test_nobody_is_told_to_work_as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """If `.env` is root's, and we may not read it, the checks say so."""
    monkeypatch.setattr(os, "geteuid", lambda: pwd.getpwnam("nobody").pw_uid)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert manage.owner_to_work_as(Path("/etc/passwd")) is None


@pytest.mark.parametrize(
    "statement",
    [
        "select * from no_such_table",
        "select no_such_column from games_game",
        "insert into games_game (no_such_column) values (1)",
    ],
)
def test_tables_of_another_release_are_told_from_a_database_that_is_away(statement: str) -> None:
    with (
        pytest.raises(DatabaseError) as error,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert manage.of_another_release(error.value)


def test_tables_of_another_release_are_named_in_one_sentence(tmp_path: Path) -> None:
    code, said = started(["status"], tmp_path)
    assert code == 1
    assert "does not have the tables of this release. Run `manage.py migrate`." in said
    assert "Traceback" not in said


def test_the_newest_migrations_are_those_on_which_no_other_depends() -> None:
    assert newest_migrations() == set(MigrationLoader(None).graph.leaf_nodes())


def worker_begins() -> None:
    """What Celery calls before a worker forks its processes."""
    begin = begin_with_the_right_tables
    assert begin in [receiver() for _, receiver in signals.worker_init.receivers]
    begin()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "start",
    [
        lambda: call_command("tick"),
        lambda: call_command("poll_mail", "--once"),
        worker_begins,
        lambda: run_path(str(ROOT / "diplomacy_server/wsgi.py")),
    ],
    ids=["tick", "poller", "worker", "web"],
)
def test_no_service_starts_on_tables_that_an_upgrade_left_half_done(
    start: Callable[[], object],
) -> None:
    """A power cut during `migrate` is enough: then all of them start with the machine."""
    newest = dict(newest_migrations())["mailer"]
    MigrationRecorder.Migration.objects.get(app="mailer", name=newest).delete()
    with pytest.raises(SystemExit) as said:
        start()
    assert "does not have the tables of this release. Run `manage.py migrate`." in str(said.value)


def test_the_clock_ends_with_a_sentence_too(tmp_path: Path) -> None:
    """It loads no models itself."""
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path / 'none.sqlite3'}"}
    begun = [sys.executable, "-m", "diplomacy_server.beat"]
    done = subprocess.run(begun, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.strip()) == (1, REFUSAL)


def test_migrations_that_were_not_run_are_a_warning_that_stops_nothing(tmp_path: Path) -> None:
    code, said = started(["check"], tmp_path)
    assert code == 0
    assert "migrations still to be run" in said
    assert "HINT: Run `manage.py migrate`." in said
    assert "no issues" not in said


@pytest.mark.django_db
@pytest.mark.on_both
def test_tables_of_this_release_and_of_a_later_one_are_no_finding() -> None:
    MigrationRecorder(connection).record_applied("games", "9999_of_a_later_release")
    assert tables_are_todays(databases=["default"]) == []


def test_migrating_does_not_warn_of_what_it_is_about_to_do(tmp_path: Path) -> None:
    code, said = started(["migrate", "contenttypes"], tmp_path)
    assert code == 0
    assert "still to be run" not in said


@pytest.mark.parametrize("command", ["check", "tick"])
def test_an_unreachable_database_is_named_in_one_sentence(command: str, tmp_path: Path) -> None:
    url = "postgres://judge:open-sesame@127.0.0.1:1/games"
    code, said = started([command], tmp_path, DATABASE_URL=url)
    assert code == 1
    assert "The database cannot be reached" in said
    assert "no issues" not in said
    assert "Traceback" not in said
    assert "open-sesame" not in said


def test_sqlite_keeps_every_commit_through_a_power_cut(tmp_path: Path) -> None:
    """2 is FULL (sqlite.org/pragma.html#pragma_synchronous)."""
    asked = (
        "from django.db import connection as c; k = c.cursor();"
        "k.execute('PRAGMA synchronous'); print(k.fetchone());"
        "k.execute('PRAGMA journal_mode'); print(k.fetchone())"
    )
    code, said = started(["shell", "-v", "0", "-c", asked], tmp_path)
    assert (code, said.split()) == (0, ["(2,)", "('wal',)"])


@pytest.mark.parametrize("host", ["127.0.0.1:25", "localhost", "mail:25"])
def test_a_password_that_stays_on_this_machine_needs_no_encryption(
    real: Settings, host: str
) -> None:
    real.EMAIL_URL = f"smtp://judge:secret@{host}"
    assert findings() == []


def test_a_relay_that_wants_no_password_may_be_spoken_to_openly(real: Settings) -> None:
    real.EMAIL_URL = "smtp://mail.example.org:25"
    assert findings() == []


@pytest.mark.parametrize(
    ("line", "expected", "says"),
    [
        ("JUDGE_ADRESS=judge@games.example.org", "diplomacy.W008", "Did you mean JUDGE_ADDRESS?"),
        ("COLOUR=blue", "diplomacy.W008", ".env.example lists every setting."),
        ("SECRET_KEY = open-sesame", "diplomacy.E020", "no blanks before the name"),
        ("open-sesame", "diplomacy.E020", "Write NAME=value"),
    ],
)
def test_a_line_of_the_file_that_sets_nothing_is_named_and_not_printed(
    real: Settings, tmp_path: Path, line: str, expected: str, says: str
) -> None:
    write_env_file(tmp_path, f"# ours\n\nTICK_SECONDS=5\nPOSTGRES_PASSWORD=x\n{line}\n")
    (finding,) = findings()
    assert finding.id == expected
    assert finding.msg.startswith("Line 5 of ")
    assert says in str(finding.hint)
    assert "open-sesame" not in finding.msg


def test_a_file_of_settings_that_cannot_be_read_is_an_error(real: Settings, tmp_path: Path) -> None:
    write_env_file(tmp_path, "JUDGE_ADDRESS=jüdge@example.org\n", encoding="latin-1")
    load(tmp_path / ".env")
    assert ids() == ["diplomacy.E020"]


def test_a_line_that_cannot_be_read_is_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_env_file(tmp_path, "SECRET_KEY = open-sesame\n")
    load(tmp_path / ".env")
    assert "open-sesame" not in "".join(capsys.readouterr())


def write_env_file(folder: Path, text: str, encoding: str = "utf8") -> None:
    """Write a `.env` that nobody else may read."""
    (folder / ".env").write_text(text, encoding=encoding)
    (folder / ".env").chmod(0o600)


def test_a_sign_that_no_url_can_have_is_named_without_a_trace_or_a_password(tmp_path: Path) -> None:
    urls = {
        "SITE_URL": "https://[::1",
        "IMAP_URL": "imaps://judge:open[sesame@mail.example.org/INBOX",
        "EMAIL_URL": "smtps://judge:open]sesame[@mail.example.org",
        "CELERY_BROKER_URL": "redis://:open[sesame@broker.example.org",
    }
    code, said = started(["check"], tmp_path, **urls)
    assert code == 1
    assert all(name in said for name in urls)
    assert "Traceback" not in said
    assert "sesame" not in said


def test_a_site_without_a_scheme_is_named_in_our_words(tmp_path: Path) -> None:
    code, said = started(["check"], tmp_path, SITE_URL="games.example.org")
    assert code == 1
    assert "SITE_URL=https://games.example.org" in said
    assert "CSRF_TRUSTED_ORIGINS" not in said


def test_a_server_by_https_passes_djangos_own_checks_for_one(real: Settings) -> None:
    real.SECRET_KEY = "abcdefghijklmnopqrstuvwxyz" * 2
    real.SESSION_COOKIE_SECURE = real.CSRF_COOKIE_SECURE = True
    real.SECURE_HSTS_SECONDS = 365 * 24 * 3600
    found = run_checks(tags=["security"], include_deployment_checks=True)
    assert [str(one) for one in found if not one.is_silenced()] == []


@pytest.mark.parametrize("command", [["tick"], ["backup", "folder"], ["restore_drill", "folder"]])
def test_what_cron_runs_is_refused_for_errors_and_silent_of_warnings(
    command: list[str], tmp_path: Path
) -> None:
    """Cron mails whatever is written: warnings would come every minute."""
    command[1:] = [str(tmp_path / name) for name in command[1:]]
    real = {"SECRET_KEY": "x" * 50, "LOG_LEVEL": "WARNING"}
    real |= {"SITE_URL": "https://games.example.org", "ALLOWED_HOSTS": "games.example.org"}
    _, said = started(command, tmp_path, **real)
    assert "System check identified" not in said
    code, said = started(command, tmp_path, **real | {"TICK_SECONDS": "abc"})
    assert code != 0
    assert "TICK_SECONDS" in said
