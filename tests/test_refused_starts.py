"""Nonsense in the environment: the server does not start, and says why in sentences."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest
from environ import Env

import manage
from diplomacy_server.environment import MOST_DAYS, Environment
from tests.starting import ROOT, started

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
        "postgres://a:open-sesame@host/name?prepare_threshold=never",
        "postgres://a:open-sesame@",
    ],
}


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
