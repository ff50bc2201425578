"""An unsafe or impossible setting is named, and each finding says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.checks import CheckMessage, Error, run_checks
from pytest_django import Settings

from diplomacy_server.checks import _no_key, settings_are_safe
from diplomacy_server.env_file import load
from games.errors import BadInput
from games.proofs.keys import list_beside, make_key
from tests.cast import NOW

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
        ("CELERY_BROKER_URL", "sentinel://broker.example.org:26379/0", "diplomacy.E013"),
        ("CELERY_BROKER_URL", "rediss://broker.example.org/0?ssl_cert_reqs=y", "diplomacy.E013"),
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


def test_a_server_by_https_passes_djangos_own_checks_for_one(real: Settings) -> None:
    real.SECRET_KEY = "abcdefghijklmnopqrstuvwxyz" * 2
    real.SESSION_COOKIE_SECURE = real.CSRF_COOKIE_SECURE = True
    real.SECURE_HSTS_SECONDS = 365 * 24 * 3600
    found = run_checks(tags=["security"], include_deployment_checks=True)
    assert [str(one) for one in found if not one.is_silenced()] == []
