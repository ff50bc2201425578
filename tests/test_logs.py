"""The lines of the log: what each is about, as text and as JSON, and the scan of every log."""

from __future__ import annotations

import json
import logging

import pytest
from celery.app.log import Logging
from django.conf import settings

from diplomacy_server.celery import app
from diplomacy_server.discretion import Discreet, JsonLines
from games.models import Phase
from games.services.adjudication.phases import phase_process
from games.services.working import worked_on, working_on
from mailer.outbound import addresses
from tests.cast import DAY, NOW
from tests.logs import SecretScan
from tests.mailer.correspondence import told_cast, write


def record(message: str, *, error: Exception | None = None) -> logging.LogRecord:
    made = logging.LogRecord("mailer.test", logging.WARNING, "", 1, message, (), None)
    made.exc_info = (type(error), error, None) if error else None
    return made


def test_what_is_worked_on_stands_after_the_message() -> None:
    text = Discreet("{levelname}: {message}", style="{")
    with working_on(game="marne", phase="F1901M"), working_on(mail=12):
        assert (
            text.format(record("It broke")) == "WARNING: It broke [game=marne phase=F1901M mail=12]"
        )
    assert text.format(record("It broke")) == "WARNING: It broke"


def test_work_inside_work_is_forgotten_with_it_even_after_an_error() -> None:
    with working_on(game="marne"):
        with pytest.raises(ValueError, match="broken"), working_on(mail=12):
            raise ValueError("broken")
        assert worked_on() == {"game": "marne"}
    assert worked_on() == {}


def test_a_line_for_programs_is_one_json_object() -> None:
    with working_on(game="marne", mail=12):
        line = JsonLines().format(record("It broke", error=KeyError("A Par - Bur")))
    said = json.loads(line)
    assert "\n" not in line
    assert (said["level"], said["logger"], said["message"]) == (
        "WARNING",
        "mailer.test",
        "It broke",
    )
    assert (said["game"], said["mail"]) == ("marne", 12)
    assert said["time"].endswith("+00:00")
    assert "KeyError" in said["trace"]
    assert "Bur" not in line


def test_a_worker_says_what_other_processes_say_whatever_celerys_level_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "level", logging.INFO)
    monkeypatch.setattr(Logging, "_setup", False)
    app.log.setup("ERROR", redirect_stdouts=False)
    assert root.isEnabledFor(logging.INFO)


@pytest.mark.django_db
def test_a_mail_that_was_worked_on_is_a_line_with_its_number(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = told_cast()
    seat = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    monkeypatch.setattr(caplog.handler, "formatter", JsonLines())
    with caplog.at_level("INFO"):
        mail = write("Carla", "A Par - Bur", to=seat)
    said = [json.loads(line) for line in caplog.text.splitlines()]
    assert [one["mail"] for one in said if one["message"] == f"Mail #{mail.pk} is done."] == [
        mail.pk
    ]
    assert "Bur" not in caplog.text


@pytest.mark.django_db
def test_a_phase_that_was_processed_is_a_line_with_its_game(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = told_cast()
    monkeypatch.setattr(caplog.handler, "formatter", JsonLines())
    Phase.objects.update(due_at=NOW)
    with caplog.at_level("INFO", logger="games.services.adjudication.phases"):
        assert phase_process(game_id=cast.game.pk, now=NOW + DAY)
    [said] = [json.loads(line) for line in caplog.text.splitlines()]
    assert (said["game"], said["phase"]) == ("marne", "S1901M")


@pytest.mark.parametrize(
    "secret",
    [
        "a mail to judge+abcdefghijklmnopqrstuvwxyz2@games.test came",
        "a mail to judge+bounce-abcdefghijklmnopqrstuvwxyz2@games.test came",
        "Not Found: /calendar/abcdefghijklmnopqrstuvwxyz.ics",
        "Not Found: /admin/password/MQ/d1a2b3-0123456789abcdef0123456789abcdef/",
        "Method Not Allowed (PUT): /unsubscribe/12:0123456789abcdefghijklmnopqrst/",
        "what was written: A Par - Bur",
    ],
)
def test_the_scan_finds_a_secret_that_the_log_would_show(secret: str) -> None:
    scan = SecretScan(logging.Formatter())
    scan.emit(record(secret))
    scan.emit(record(f"the key is {settings.SECRET_KEY}"))
    scan.emit(record("Mail #12 is done."))
    assert len(scan.taken()) == 2
    assert scan.taken() == []


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("to judge+abcdefghijklmnopqrstuvwxyz2@games.test", "to judge+[token]@games.test"),
        ("Not Found: /calendar/3-b59ea03833d11a0f562649f7e7579880.ics", "/calendar/[token].ics"),
        ("Not Found: /admin/password/MQ/d1a2b3-0123456789abcdef/", "/admin/password/[token]/"),
        ("(PUT): /unsubscribe/12:0123456789abcdefghijklmnopqrst/", "(PUT): /unsubscribe/[token]/"),
    ],
)
def test_the_log_as_it_is_written_has_no_secret_addresses(message: str, written: str) -> None:
    assert written in Discreet().format(record(message))
    scan = SecretScan()
    scan.emit(record(message))
    assert scan.taken() == []
