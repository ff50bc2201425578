"""Logs and error reports: they say where it broke, and quote nobody."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.db import IntegrityError, OperationalError, connection, transaction
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils.log import AdminEmailHandler
from django.utils.module_loading import import_string
from pytest_django import Settings

from diplomacy_server.discretion import UNSAID, Discreet, causes, without_words
from games.errors import fault
from games.models import Phase
from games.queries.reports.drawing import NotDrawn
from games.services.adjudication.phases import phase_process
from mailer.inbound import one_mail, processing
from mailer.models import InboundMail
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import eml, receive, stored

SECRET = "xyzzyorder"
LINE: dict[str, str] = cast(Any, django_settings.LOGGING)["formatters"]["line"]


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What goes to standard error while the test runs, written as the settings say."""
    config = dict(LINE)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    kind = import_string(config.pop("()"))
    handler.setFormatter(kind(config.pop("format"), **config))
    root = logging.getLogger()
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


def broken(*args: object, **more: object) -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(f"cannot read {SECRET}") from error


def test_the_log_says_where_an_error_happened_and_not_what_it_says(log: io.StringIO) -> None:
    try:
        broken()
    except ValueError:
        logging.getLogger("games").exception("Adjudicating failed")
    text = log.getvalue()
    assert "ERROR games: Adjudicating failed" in text
    assert text.index("KeyError: (its text") < text.index("ValueError: (its text")
    assert text.count("test_discretion.py") >= 3
    assert "in broken" in text
    assert SECRET not in text


def test_a_message_that_repeats_the_error_loses_it(log: io.StringIO) -> None:
    """Celery writes: Task mailer.tasks.process raised unexpected: ValueError('…')."""
    try:
        broken()
    except ValueError as error:
        logging.getLogger("celery").error("Task raised unexpected: %r", error, exc_info=True)
    text = log.getvalue()
    assert f"Task raised unexpected: ValueError {UNSAID}" in text
    assert SECRET not in text


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(111, "Connection refused"),
        OperationalError("server is away"),
        NotDrawn("the process that drew it died"),
    ],
)
def test_errors_that_quote_nobody_keep_their_words(log: io.StringIO, error: Exception) -> None:
    try:
        raise error
    except type(error):
        logging.getLogger("mailer").exception("Mail in")
    assert str(error) in log.getvalue()


def test_a_text_as_short_as_a_number_is_taken_out_of_no_other_word(log: io.StringIO) -> None:
    """Told to end, Celery raises WorkerShutdown(0): every 0 was replaced, in the time, too."""
    try:
        raise KeyError(20)
    except KeyError as error:
        logging.getLogger("celery").exception("Task 2031 of 20 broke: %r", error)
    first = log.getvalue().splitlines()[0]
    assert first.startswith("20"), "the year"
    assert first.endswith(f"Task 2031 of KeyError {UNSAID} broke: KeyError {UNSAID}")


def test_causes_end_even_where_an_error_causes_itself() -> None:
    first, second = ValueError(1), ValueError(2)
    first.__context__, second.__context__ = second, first
    assert list(causes(first)) == [first, second]


def test_a_line_without_an_error_is_left_as_it_is() -> None:
    record = logging.LogRecord("games", logging.INFO, "", 1, "12 mails", None, None)
    assert Discreet("{levelname}: {message}", style="{").format(record) == "INFO: 12 mails"


def test_a_report_for_sentry_has_no_words_in_it() -> None:
    report = {
        "exception": {"values": [{"type": "KeyError", "value": SECRET, "stacktrace": {}}]},
        "breadcrumbs": {"values": [{"message": SECRET}]},
        "logentry": {"message": "Adjudicating failed", "params": [SECRET]},
    }
    said = without_words(report, {})
    assert SECRET not in str(said)
    assert said["exception"]["values"][0]["type"] == "KeyError"


def test_a_report_for_sentry_names_the_page_without_its_secret_and_its_search() -> None:
    page = "https://games.test/admin/password/MQ/dip1h7-cf255ef942bb438daeba4ac76067fc63/"
    asked = {
        "method": "GET",
        "url": page,
        "query_string": f"q={SECRET}",
        "headers": {"Referer": f"https://games.test/admin/?q={SECRET}"},
        "data": SECRET,
    }
    said = without_words({"request": asked}, {})
    assert said["request"] == {
        "method": "GET",
        "url": "https://games.test/admin/password/[token]/",
    }


def test_a_fault_is_told_by_its_kind_and_place() -> None:
    with pytest.raises(ValueError, match=SECRET) as caught:
        broken()
    assert fault(caught.value).startswith("ValueError in tests/test_discretion.py, line ")
    assert fault(caught.value).endswith("(broken)")
    assert fault(KeyError(SECRET)) == "KeyError"


# --- Through the program ------------------------------------------------------------------


@pytest.mark.django_db
def test_a_phase_that_breaks_tells_no_order_anywhere(
    marne: Cast, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.services.adjudication.phase_completion.missing_of", broken)
    for hours in (100, 200, 300):
        assert phase_process(game_id=marne.game.pk, now=NOW + hours * HOUR) is None
    phase = Phase.objects.get()
    assert phase.status == Phase.Status.STUCK
    assert phase.error.startswith("ValueError in tests/test_discretion.py")
    assert "Adjudicating marne S1901M failed" in log.getvalue()
    assert SECRET not in log.getvalue() + phase.error


@pytest.mark.django_db
def test_a_mail_that_breaks_tells_nothing_of_what_it_said(
    marne: Cast, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_mail, "calls_of", broken)
    row = stored(eml(f"A Par - {SECRET}", sender="carla@players.test", subject=SECRET))
    for hours in range(4):
        processing.process_mail(mail_id=row.pk, now=NOW + hours * HOUR)
    row.refresh_from_db()
    assert row.state == InboundMail.State.QUARANTINED
    assert "broke the program" in log.getvalue()
    assert SECRET not in log.getvalue() + row.error + row.note


@pytest.mark.django_db
def test_a_mail_that_breaks_among_others_tells_nothing_of_what_it_said(
    marne: Cast, log: io.StringIO, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(one_mail, "calls_of", broken)
    for sender in ("carla", "dmitri"):
        stored(eml(f"A Par - {SECRET}", sender=f"{sender}@players.test", subject=SECRET))
    with caplog.at_level(logging.INFO):
        processing.process_inbound(now=NOW, limit=5)
    assert "will be worked on once more" in caplog.text
    assert SECRET not in log.getvalue()
    assert SECRET not in "".join(record.getMessage() for record in caplog.records)


@pytest.mark.django_db
def test_an_ordinary_mail_leaves_no_word_of_it_in_the_log(marne: Cast, log: io.StringIO) -> None:
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.INFO)
    receive(eml(f"A Par - {SECRET}", sender="carla@players.test", subject=SECRET))
    root.setLevel(before)
    assert SECRET not in log.getvalue()


@pytest.mark.django_db
def test_sql_and_imap_are_not_logged_even_where_everything_else_is(log: io.StringIO) -> None:
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.DEBUG)
    connection.force_debug_cursor = True
    assert list(Phase.objects.filter(name=SECRET)) == []
    connection.force_debug_cursor = False
    logging.getLogger("imapclient.imaplib").debug("< %s", SECRET)
    root.setLevel(before)
    assert SECRET not in log.getvalue()


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.django_db
def test_a_row_that_the_database_refuses_is_not_quoted(marne: Cast, log: io.StringIO) -> None:
    with pytest.raises(IntegrityError, match=SECRET) as refused, transaction.atomic():
        marne.game.press.create(number=-1, circle="", text=SECRET, created_at=NOW)
    logging.getLogger("games").error("Refused", exc_info=refused.value)
    assert "IntegrityError" in log.getvalue()
    assert SECRET not in log.getvalue()


# --- Pages that break ---------------------------------------------------------------------


def broken_page(request: HttpRequest) -> None:
    secret = SECRET  # noqa: F841 - a variable that Django's own report would show
    broken()


def report_of(settings: Settings) -> str:
    """Return what Django would mail to ADMINS about a page that broke."""
    settings.ADMINS = [("Operator", "operator@players.test")]
    request = RequestFactory().post("/admin/games/phase/1/look/", {"why": SECRET})
    try:
        broken_page(request)
    except ValueError:
        about = sys.exc_info()
        record = logging.LogRecord("django.request", logging.ERROR, "", 1, "Broke", None, about)
        record.request = request
        AdminEmailHandler(include_html=True).emit(record)
    (sent,) = mail.outbox
    return f"{sent.subject}\n{sent.body}\n{sent.alternatives}"  # type: ignore[attr-defined]


def test_a_report_of_a_page_that_broke_has_no_variable_and_no_form_in_it(
    settings: Settings,
) -> None:
    text = report_of(settings)
    assert "POST /admin/games/phase/1/look/" in text
    assert "in broken_page" in text
    assert SECRET not in text


def test_a_developer_at_their_own_machine_gets_the_full_report(settings: Settings) -> None:
    settings.DEBUG = True
    assert SECRET in report_of(settings)


@pytest.mark.django_db
def test_a_page_that_broke_says_nothing_to_who_asked_for_it(
    client: Client, marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.web.render_to_string", broken)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    text = answer.content.decode()
    assert SECRET not in text
    assert "Traceback" not in text
