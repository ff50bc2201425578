"""A start with an unsafe or impossible setting is refused, and each refusal says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error
from pytest_django import Settings

from diplomacy_server.checks import settings_are_safe

ROOT = Path(__file__).resolve().parent.parent
REAL = {
    "SECRET_KEY": "x" * 50,
    "SITE_URL": "https://games.example.org",
    "ALLOWED_HOSTS": ["games.example.org"],
    "JUDGE_ADDRESS": "judge@games.example.org",
    "IMAP_URLS": ["imaps://judge:secret@mail.example.org:993/INBOX"],
    "EMAIL_URL": "smtp+tls://judge:secret@mail.example.org:587",
    "SENTRY_IS_INSTALLED": False,
    "DEBUG": False,
    "DEMO": False,
}


@pytest.fixture
def real(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A real server's settings with which nothing is wrong."""
    choose_database("postgresql", monkeypatch)
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "collected.css").touch()
    for name, value in REAL.items():
        setattr(settings, name, value)
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
        ("EMAIL_URL", "mail.example.org", "diplomacy.E008"),
        ("EMAIL_URL", "smtp://", "diplomacy.E008"),
        ("DEMO", True, "diplomacy.E009"),
        ("SENTRY_DSN", "https://key@sentry.example.org/1", "diplomacy.E011"),
        ("SITE_URL", "http://games.example.org", "diplomacy.W003"),
    ],
)
def test_one_wrong_setting_is_named_by_its_id(
    real: Settings, name: str, value: object, expected: str
) -> None:
    setattr(real, name, value)
    assert ids() == [expected]
    assert all(finding.hint for finding in findings())


def test_the_key_that_stands_in_the_source_is_refused(real: Settings) -> None:
    real.SECRET_KEY = real.UNSAFE_SECRET_KEY
    assert ids() == ["diplomacy.E001"]


def test_sqlite_is_named_as_a_limit_on_a_real_server(
    real: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_database("sqlite3", monkeypatch)
    assert ids() == ["diplomacy.W001"]


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


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "manage.py", "tick"],
        [sys.executable, "-c", "import diplomacy_server.wsgi"],
    ],
    ids=["a command", "the web server"],
)
def test_a_real_start_with_the_demo_switched_on_is_refused(
    command: list[str], tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "DEMO": "1",
        "SITE_URL": "https://games.example.org",
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'never.sqlite3'}",
    }
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "diplomacy.E009" in done.stderr
