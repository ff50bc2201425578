"""How the server is: the same answer by page, command, metrics, ping and exit code."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from diplomacy_server.health import findings, metrics, room, signs
from diplomacy_server.health.findings import Level, fails, judge
from diplomacy_server.health.ping import ping
from diplomacy_server.health.room import PEACE, PEACE_IN_TROUBLE, Trial
from games.models import Event, Phase
from games.services.clock.halts import server_halt
from mailer.inbound import store
from mailer.models import InboundMail, Mailbox, OutboundMail, Picture
from tests.cast import DAY, HOUR, NOW, Cast
from tests.mailer.correspondence import told_cast
from tests.servers import Redis

URL = "imap://judge:open-sesame@127.0.0.1:1/INBOX"
MINUTE = dt.timedelta(minutes=1)
SECOND = dt.timedelta(seconds=1)

pytestmark = pytest.mark.django_db


def read_mailbox(settings: Settings) -> Mailbox:
    """Our mailbox, read ten seconds ago."""
    settings.IMAP_URLS = [URL]
    mailbox = store.mailbox_for(URL)
    mailbox.last_ok_poll = NOW - 10 * SECOND
    mailbox.save()
    return mailbox


@pytest.fixture
def box(db: None, settings: Settings) -> Mailbox:
    return read_mailbox(settings)


@pytest.fixture
def game(db: None, settings: Settings) -> Cast:
    """Marne, just begun, everybody told, and every mail sent within three seconds."""
    cast = told_cast()
    OutboundMail.objects.update(state=OutboundMail.State.SENT, sent_at=NOW + 3 * SECOND)
    read_mailbox(settings)
    return cast


def mail_in(box: Mailbox, state: str, at: dt.datetime) -> InboundMail:
    return InboundMail.objects.create(
        mailbox=box,
        uidvalidity=1,
        uid=InboundMail.objects.count() + 1,
        sha256=str(InboundMail.objects.count()),
        raw=b"",
        received_at=at,
        stored_at=at,
        state=state,
    )


def mail_out(state: str, at: dt.datetime, **more: object) -> OutboundMail:
    number = OutboundMail.objects.count()
    return OutboundMail.objects.create(
        key=f"mail/{number}",
        kind="result",
        recipient="carla@players.test",
        message_id=f"<{number}@game.test>",
        subject="",
        body="",
        state=state,
        created_at=at,
        not_before=at,
        **more,
    )


def levels(now: dt.datetime = NOW) -> dict[str, Level]:
    return {finding.about: finding.level for finding in judge(signs.take(now))}


def failing(now: dt.datetime = NOW) -> list[str]:
    return [finding.about for finding in fails(judge(signs.take(now)))]


def test_a_server_at_work_has_nothing_to_look_at(game: Cast) -> None:
    assert set(levels().values()) == {Level.FINE}


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("temp_file_limit = 0", "takes nothing new: temporary file size exceeds"),
        ("transaction_read_only = on", "takes nothing new: it is read-only."),
    ],
)
def test_a_database_that_takes_nothing_new_fails_at_once(
    box: Mailbox, monkeypatch: pytest.MonkeyPatch, setting: str, says: str
) -> None:
    """On a full disk, too, that file cannot be written."""
    monkeypatch.setattr(signs, "why_no_room", Trial().why_no_room)
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {setting}")
    [finding] = fails(judge(signs.take(NOW)))
    assert finding.about == "database"
    assert says in finding.sentence


@pytest.mark.parametrize(("free", "failing"), [(15, ["database"]), (17, [])])
def test_sqlite_on_a_full_disk_fails_at_once(
    monkeypatch: pytest.MonkeyPatch, free: int, failing: list[str]
) -> None:
    disk = shutil.disk_usage("/")._replace(free=free * 1024**2)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: disk)
    monkeypatch.setattr(connection, "vendor", "sqlite")
    found = [*findings._no_room(Trial().why_no_room())]
    assert [finding.about for finding in found] == failing


@pytest.mark.parametrize(("why", "peace"), [("", PEACE), ("it is full", PEACE_IN_TROUBLE)])
def test_a_page_that_anybody_may_ask_for_makes_the_database_work_now_and_then(
    monkeypatch: pytest.MonkeyPatch, why: str, peace: float
) -> None:
    asked, trial = list[str](), Trial()
    monkeypatch.setattr(room, "_why_no_room", lambda: asked.append("") or why)
    for seconds in (0.0, peace - 1, peace + 1):
        at = 1000.0 + seconds
        monkeypatch.setattr("time.monotonic", lambda at=at: at)
        assert trial.why_no_room() == why
    monkeypatch.undo()
    assert len(asked) == 2


def test_a_mailbox_that_was_never_read_fails(settings: Settings) -> None:
    settings.IMAP_URLS = [URL]
    assert failing() == ["mailbox"]


def test_a_mailbox_fails_a_quarter_of_an_hour_after_its_last_good_poll(box: Mailbox) -> None:
    assert failing(NOW + 15 * MINUTE) == []
    assert failing(NOW + 17 * MINUTE) == ["mailbox"]


def test_one_mailbox_of_two_that_is_silent_fails_for_both(box: Mailbox, settings: Settings) -> None:
    settings.IMAP_URLS = [URL, "imap://other:secret@127.0.0.1:2/INBOX"]
    assert failing() == ["mailbox"]


def test_a_failure_that_has_just_begun_is_only_to_be_looked_at(box: Mailbox) -> None:
    box.failing_since = NOW - SECOND
    box.save()
    assert levels()["mailbox"] is Level.LOOK


def test_mail_that_nobody_works_on_fails(box: Mailbox) -> None:
    mail_in(box, InboundMail.State.NEW, NOW - 14 * MINUTE)
    assert failing() == []
    mail_in(box, InboundMail.State.NEW, NOW - 16 * MINUTE)
    assert failing() == ["unworked"]


def test_old_mail_that_has_just_been_fetched_after_an_outage_does_not(box: Mailbox) -> None:
    mail = mail_in(box, InboundMail.State.NEW, NOW - 7 * DAY)
    InboundMail.objects.filter(pk=mail.pk).update(stored_at=NOW - MINUTE)
    assert failing() == []


def test_mail_that_nobody_sends_fails_but_what_is_put_off_does_not(box: Mailbox) -> None:
    put_off = mail_out(OutboundMail.State.QUEUED, NOW - HOUR)
    OutboundMail.objects.filter(pk=put_off.pk).update(not_before=NOW + HOUR)
    assert failing() == []
    mail_out(OutboundMail.State.QUEUED, NOW - 16 * MINUTE)
    assert failing() == ["outbox"]
    assert (signs.take(NOW).outbox.count, signs.take(NOW).queued) == (1, 2)


def test_a_relay_that_takes_no_mail_fails(box: Mailbox) -> None:
    mail_out(OutboundMail.State.QUEUED, NOW - HOUR, last_error="452 mailbox full")
    mail_out(OutboundMail.State.SENT, NOW - 40 * MINUTE, sent_at=NOW - 40 * MINUTE)
    first = mail_out(OutboundMail.State.QUEUED, NOW - 16 * MINUTE, last_error="No connection")
    every = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED)
    every.update(not_before=NOW + HOUR)
    assert failing() == []  # these two may be at one address
    every.filter(pk=first.pk).update(recipient="ben@players.test")
    assert failing() == []  # what was put off while others were sent says nothing of the relay
    last = mail_out(OutboundMail.State.QUEUED, NOW - 5 * MINUTE, last_error="No connection")
    every.filter(pk=last.pk).update(not_before=NOW + HOUR)
    assert failing() == ["outbox"]
    assert signs.take(NOW).outbox == signs.Queue(2, NOW - 16 * MINUTE)
    mail_out(OutboundMail.State.SENT, NOW - MINUTE, sent_at=NOW - MINUTE)
    assert failing() == []


def test_a_phase_that_nobody_decides_fails(game: Cast, box: Mailbox) -> None:
    due = Phase.objects.get().due_at
    assert due is not None
    Mailbox.objects.update(last_ok_poll=due + HOUR)
    assert failing(due + MINUTE) == []
    assert failing(due + HOUR) == ["due"]


def test_a_phase_of_a_paused_game_is_not_due(game: Cast) -> None:
    due = Phase.objects.get().due_at
    assert due is not None
    game.game.status = game.game.Status.PAUSED
    game.game.save()
    Mailbox.objects.update(last_ok_poll=due + HOUR)
    assert failing(due + HOUR) == []


def test_a_halt_is_said_and_calls_nobody(game: Cast) -> None:
    due = Phase.objects.get().due_at
    assert due is not None
    Mailbox.objects.update(last_ok_poll=due + HOUR)
    server_halt(why="A fault in the judge.", by="the GM", now=NOW)
    assert failing(due + HOUR) == []
    (said,) = [one for one in judge(signs.take(due + HOUR)) if one.about == "halt"]
    assert said.level is Level.LOOK
    assert said.sentence == (
        "The whole server has stood still since Mon 2 Mar 2026, 12:00 UTC: no phase is decided. "
        "The GM says why: A fault in the judge."
    )
    assert metrics.text(signs.take(due + HOUR))
    assert json.loads(status("--json")[1])["halt"]["why"] == "A fault in the judge."


@pytest.mark.parametrize(
    "about",
    ["stuck", "set-aside", "unfetched", "untold", "refused", "failed", "bounced", "undrawn"],
)
def test_what_waits_for_an_operator_is_named_and_calls_nobody(
    game: Cast, box: Mailbox, about: str
) -> None:
    if about == "stuck":
        Phase.objects.update(status=Phase.Status.STUCK)
    elif about == "untold":
        Event.objects.update(told_at=None)
    elif about == "refused":
        mail_out(OutboundMail.State.QUEUED, NOW, last_error="554 5.7.1 Client host rejected")
    elif about == "failed":
        mail_out(OutboundMail.State.FAILED, NOW - HOUR)
    elif about == "bounced":
        mail_out(OutboundMail.State.SENT, NOW - HOUR, sent_at=NOW - HOUR, bounced_at=NOW)
    elif about == "undrawn":
        Picture.objects.create(phase=game.phase, view="position")
    else:
        state = {"set-aside": "quarantined", "unfetched": "unfetched"}[about]
        mail_in(box, state, NOW - DAY)
    assert levels()[about] is Level.LOOK
    assert failing() == []


def test_a_phase_that_could_not_be_drawn_is_counted_once_and_for_a_day(game: Cast) -> None:
    phase = game.phase
    for view, width in (("orders", 0), ("board", 0), ("position", 640)):
        Picture.objects.create(phase=phase, view=view, width=width)
    assert signs.take(NOW).undrawn == 1
    said = "1 phase not drawn since yesterday: the mails went without pictures."
    assert said in [one.sentence for one in judge(signs.take(NOW))]
    assert b"diplomacy_phases_undrawn_day 1.0" in metrics.text(signs.take(NOW))
    assert signs.take(NOW + 2 * DAY).undrawn == 0
    Phase.objects.update(processed_at=NOW + 2 * DAY)
    assert signs.take(NOW + 2 * DAY).undrawn == 1
    Picture.objects.filter(width=0).delete()
    assert signs.take(NOW).undrawn == 0


def test_what_an_operator_let_go_waits_for_nobody(box: Mailbox) -> None:
    mail = mail_in(box, InboundMail.State.QUARANTINED, NOW - DAY)
    mail.released_at = NOW
    mail.save()
    assert "set-aside" not in levels()


def test_delays_are_those_of_the_latest_mails(game: Cast, box: Mailbox) -> None:
    for seconds in range(1, 101):
        came = mail_in(box, InboundMail.State.DONE, NOW)
        mail_out(
            OutboundMail.State.SENT,
            NOW,
            sent_at=NOW + seconds * SECOND,
            answers=came,
            priority=OutboundMail.Priority.RECEIPT,
        )
    found = signs.take(NOW).receipts
    assert (found.mails, found.median, found.nearly_all) == (100, 51.0, 96.0)


def test_the_signs_cost_as_many_statements_for_a_hundred_mails_as_for_none(box: Mailbox) -> None:
    signs.take(NOW)  # it tries for room, as it does now and then
    with CaptureQueriesContext(connection) as few:
        signs.take(NOW)
    for _ in range(50):
        mail_in(box, InboundMail.State.NEW, NOW)
        mail_out(OutboundMail.State.QUEUED, NOW)
    with CaptureQueriesContext(connection) as many:
        signs.take(NOW)
    assert len(many) == len(few) <= 18


# --- The pages ----------------------------------------------------------------------------------


def ask(path: str, **headers: str) -> tuple[int, str]:
    with time_machine.travel(NOW, tick=False):
        answer = Client().get(path, **headers)
    return answer.status_code, answer.content.decode()


def test_the_page_says_ok_while_the_server_works(game: Cast) -> None:
    assert ask("/healthz") == (200, "ok\n")


def test_the_page_says_in_a_word_what_fails_and_gives_nothing_away(box: Mailbox) -> None:
    mail_in(box, InboundMail.State.NEW, NOW - DAY)
    assert ask("/healthz") == (503, "FAILS: unworked\n")


def test_what_the_page_says_is_logged_when_it_changes_and_not_each_time(
    box: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    ask("/healthz")
    caplog.clear()
    mail_in(box, InboundMail.State.NEW, NOW - DAY)
    for _ in range(3):
        ask("/healthz")
    InboundMail.objects.all().delete()
    ask("/healthz")
    fails, well = caplog.messages
    assert fails.startswith("/healthz answers FAILS: unworked. 1 mail waits to be worked on, the")
    assert well == "/healthz answers ok again"


@pytest.mark.parametrize(
    "error",
    [
        OperationalError('connection to server at "10.0.0.7" failed'),
        InterfaceError("the connection is closed"),
    ],
)
def test_a_database_that_is_away_is_said_in_a_word(
    db: None, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def away(*_: object) -> None:
        raise error

    monkeypatch.setattr(connection, "cursor", away)
    assert ask("/healthz") == (503, "FAILS: database\n")


def test_a_process_is_alive_whatever_else_is_broken(settings: Settings) -> None:
    settings.IMAP_URLS = [URL]
    with CaptureQueriesContext(connection) as statements:
        assert ask("/healthz/live") == (200, "ok\n")
    assert not statements.captured_queries


def test_metrics_are_what_prometheus_reads(game: Cast, box: Mailbox) -> None:
    mail_in(box, InboundMail.State.NEW, NOW - 2 * MINUTE)
    code, page = ask("/metrics")
    assert code == 200
    read = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }
    assert read["diplomacy_up",] == 1
    assert read["diplomacy_mails_unworked_waiting",] == 1
    assert read["diplomacy_mails_unworked_oldest_seconds",] == 120
    assert read["diplomacy_games_running",] == 1
    assert read["diplomacy_poll_age_seconds", "1"] == 10
    assert read["diplomacy_result_delay_seconds", "0.95"] == 3


def test_no_password_and_no_address_stands_on_a_page(game: Cast) -> None:
    pages = ask("/healthz")[1] + ask("/metrics")[1]
    assert "@" not in pages
    assert "open-sesame" not in pages


@pytest.mark.parametrize(
    ("connected", "forwarded", "code"),
    [
        ("127.0.0.1", "", 200),
        ("10.1.2.3", "", 200),
        ("192.0.2.7", "", 404),
        ("127.0.0.1", "192.0.2.7", 404),
        ("127.0.0.1", "127.0.0.1, 192.0.2.7", 404),
        ("127.0.0.1", "192.0.2.7, 10.1.2.3", 200),
        ("192.0.2.7", "127.0.0.1", 404),
        ("", "", 404),
    ],
)
def test_metrics_are_for_the_addresses_of_the_setting_alone(
    box: Mailbox, settings: Settings, connected: str, forwarded: str, code: int
) -> None:
    settings.METRICS_FROM = ["127.0.0.1", "10.0.0.0/8"]
    headers = {"REMOTE_ADDR": connected}
    if forwarded:
        headers["HTTP_X_FORWARDED_FOR"] = forwarded
    assert ask("/metrics", **headers)[0] == code


def test_up_is_nought_while_something_fails(box: Mailbox) -> None:
    mail_in(box, InboundMail.State.NEW, NOW - DAY)
    assert "diplomacy_up 0.0" in metrics.text(signs.take(NOW)).decode()


# --- The commands -------------------------------------------------------------------------------


def status(*options: str) -> tuple[int, str]:
    said = StringIO()
    code = 0
    with time_machine.travel(NOW, tick=False):
        try:
            call_command("status", *options, stdout=said)
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, said.getvalue()


@pytest.mark.parametrize("away", ["", "redis://127.0.0.1:1/0", "redis+socket:///nowhere.sock"])
def test_status_says_that_the_broker_is_away_before_anything_waits_for_it(
    game: Cast, redis_server: Redis, settings: Settings, away: str
) -> None:
    settings.CELERY_BROKER_URL = away or redis_server.url
    code, said = status()
    assert code == 0
    assert ("look   The broker takes no tasks" in said) == bool(away)


def test_status_says_it_in_sentences_with_what_fails_on_top(game: Cast, box: Mailbox) -> None:
    mail_in(box, InboundMail.State.NEW, NOW - HOUR)
    mail_in(box, InboundMail.State.QUARANTINED, NOW)
    code, said = status()
    lines = said.splitlines()
    assert code == 1
    assert lines[0] == (
        "FAILS  1 mail waits to be worked on, the oldest since Mon 2 Mar 2026, 11:00 UTC, "
        "1 hour ago."
    )
    assert lines[1] == "look   1 mail set aside: it broke the program."
    assert "ok     1 game being played." in lines
    assert (
        "ok     Results: half of the latest 7 were sent within 3.0 s, 95 of 100 within 3.0 s."
        in lines
    )
    assert "open-sesame" not in said


def test_status_says_a_long_delay_in_days(game: Cast) -> None:
    OutboundMail.objects.update(sent_at=NOW + 9 * DAY + 2 * HOUR)
    assert "half of the latest 7 were sent within 9 days and 2 hours, 95 of 100" in status()[1]


def test_status_exits_with_0_while_all_is_well(game: Cast) -> None:
    assert status()[0] == 0


def test_status_for_programs_holds_every_figure(
    game: Cast, redis_server: Redis, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = redis_server.url
    code, said = status("--json")
    read = json.loads(said)
    assert (code, read["ok"], read["running"]) == (0, True, 1)
    assert read["mailboxes"][0]["last_ok_poll"] == "2026-03-02T11:59:50Z"
    assert {finding["level"] for finding in read["findings"]} == {"fine"}


@pytest.mark.usefixtures("time_travels_everywhere")
def test_tick_fails_loudly_when_the_mailbox_is_down(game: Cast) -> None:
    said = StringIO()
    with (
        time_machine.travel(NOW, tick=False),
        pytest.raises(CommandError, match="has been out of reach since Mon 2 Mar 2026, 12:00 UTC"),
    ):
        call_command("tick", stdout=said)
    assert said.getvalue().startswith("fetched 0")


# --- The ping -----------------------------------------------------------------------------------


class Monitor(BaseHTTPRequestHandler):
    """Counts the calls of a server that lives."""

    calls: list[str] = []

    def do_GET(self) -> None:
        self.calls.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *said: object) -> None:
        """Say nothing."""


@pytest.fixture
def monitor(settings: Settings) -> Iterator[list[str]]:
    """A monitor that listens, and the calls it got."""
    Monitor.calls = []
    server = HTTPServer(("127.0.0.1", 0), Monitor)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    settings.PING_URL = f"http://127.0.0.1:{server.server_port}/alive"
    yield Monitor.calls
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_server_at_work_calls_its_monitor(game: Cast, monitor: list[str]) -> None:
    assert ping(NOW) is True
    assert monitor == ["/alive"]


def test_a_server_that_fails_falls_silent_and_logs_why(
    box: Mailbox, monitor: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    mail_in(box, InboundMail.State.NEW, NOW - DAY)
    assert ping(NOW) is False
    assert monitor == []
    assert "No ping: 1 mail waits to be worked on" in caplog.text


def test_a_monitor_that_is_away_breaks_nothing(game: Cast, settings: Settings) -> None:
    settings.PING_URL = "http://127.0.0.1:1/alive"
    assert ping(NOW) is False


def test_without_a_monitor_nobody_is_called(game: Cast, settings: Settings) -> None:
    settings.PING_URL = ""
    with CaptureQueriesContext(connection) as statements:
        assert ping(NOW) is False
    assert not statements.captured_queries
