"""Mails that are refused, or cannot be sent: when they are tried again, and when given up."""

from __future__ import annotations

import datetime as dt
import socket

import pytest
from django.db import InternalError, OperationalError

from games.models import Phase
from games.services.setup.games import game_create
from games.services.sick_database import READ_ONLY
from mailer.models import OutboundMail, Picture
from mailer.outbound import outbox, relay, sending, smtp
from mailer.outbound.compose import compose
from mailer.outbound.pictured import PictureRequest
from tests.mailer import sink as faults
from tests.mailer.outbound.queueing import MINUTE, NOW, PAUSE, Priority, State, queue, text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]


@pytest.mark.parametrize("fault", [faults.TEMPFAIL, faults.CLOSE, faults.HANG_UP])
def test_a_mail_refused_for_now_is_tried_again_after_a_pause_with_the_same_id(sink, fault):
    row = queue()
    sink.faults = [fault]
    assert sending.drain(now=NOW) == 0
    row.refresh_from_db()
    assert (row.state, row.not_before, row.leased_until) == (State.QUEUED, NOW + PAUSE, None)
    assert row.last_error
    assert sending.drain(now=NOW + PAUSE / 2) == 0
    assert sending.drain(now=NOW + PAUSE) == 1
    assert {mail["Message-ID"] for _, mail in sink.taken} == {row.message_id}


def test_pauses_double_up_to_an_hour(sink):
    row = queue()
    pauses, now = [], NOW
    for _ in range(10):
        sink.faults = [faults.TEMPFAIL]
        sending.drain(now=now)
        row.refresh_from_db()
        pauses.append((row.not_before - now).total_seconds())
        now = row.not_before
    assert pauses == [15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_after_two_days_the_server_gives_up_unless_the_relay_takes_no_other_mail_either(sink):
    row, now = queue(), NOW
    other = queue(recipient="cy@elsewhere.test")
    OutboundMail.objects.filter(pk=other.pk).update(
        last_error="450 4.2.0 Try again later", not_before=NOW + dt.timedelta(days=9)
    )
    while now < NOW + dt.timedelta(hours=48):
        sink.faults = [faults.TEMPFAIL]
        sending.drain(now=now)
        row.refresh_from_db()
        assert row.state == State.QUEUED
        now = row.not_before
    sink.faults = [faults.TEMPFAIL]
    sending.drain(now=now)
    row.refresh_from_db()
    assert row.state == State.QUEUED
    queue(recipient="ben@elsewhere.test")
    assert sending.drain(now=now) == 1
    sink.faults = [faults.TEMPFAIL]
    sending.drain(now=row.not_before)
    row.refresh_from_db()
    assert row.state == State.FAILED
    assert "Try again later" in row.last_error


def test_a_dead_mailbox_is_given_up_though_nobody_else_had_any_mail(sink):
    """All that waits is for the same person, so nothing shows that the relay takes none."""
    queue()
    two_days_ago = NOW - dt.timedelta(hours=48)
    OutboundMail.objects.update(created_at=two_days_ago, attempts=sending.ATTEMPTS)
    queue()
    sink.faults = [faults.TEMPFAIL] * 2
    sending.drain(now=NOW)
    states = OutboundMail.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.FAILED, State.QUEUED]


def test_a_mail_that_waited_for_days_without_a_try_is_not_given_up_at_the_first(sink):
    """The server was off, and the relay, which has not heard of it for so long, says: later."""
    row, now = queue(), NOW + dt.timedelta(days=3)
    for _ in range(3):
        sink.faults = [faults.TEMPFAIL]
        sending.drain(now=now)
        row.refresh_from_db()
        now = row.not_before
    sink.faults = []
    sending.drain(now=now)
    row.refresh_from_db()
    assert row.state == State.SENT


def test_a_mail_that_is_sent_again_long_after_it_failed_is_tried_as_any_other(sink):
    row, now = queue(), NOW + dt.timedelta(days=30)
    OutboundMail.objects.update(state=State.FAILED, attempts=60)
    outbox.send_again(mail_ids=[row.pk], now=now)
    sink.faults = [faults.TEMPFAIL]
    sending.drain(now=now)
    sending.drain(now=now + MINUTE)
    row.refresh_from_db()
    assert row.state == State.SENT


def test_a_mail_refused_for_good_is_not_tried_again(sink):
    row = queue()
    sink.faults = [faults.REJECT]
    sending.drain(now=NOW)
    row.refresh_from_db()
    assert (row.state, row.attempts) == (State.FAILED, 1)
    assert "554" in row.last_error
    assert sending.drain(now=NOW + dt.timedelta(days=1)) == 0


def test_a_mail_that_is_too_large_is_not_tried_again_and_we_know_when_it_failed(sink):
    """A server that is told the size beforehand says so when it is told the sender."""
    row = queue()
    sink.senders_refused = "552 5.3.4 Message size exceeds fixed limit"
    sending.drain(now=NOW + MINUTE)
    row.refresh_from_db()
    assert (row.state, row.not_before) == (State.FAILED, NOW + MINUTE)


def test_a_mail_that_is_too_large_with_its_pictures_leaves_without_them(sink):
    game = game_create(name="marne", now=NOW)
    phase = Phase.objects.create(game=game, number=1, name="S1901M", position={}, opened_at=NOW)
    about = {"width": 640, "height": 480, "alt": "The board", "caption": "The board"}
    Picture.objects.create(phase=phase, view=Picture.View.POSITION, png=b"a board", **about)
    row = queue(pictured=PictureRequest(OutboundMail.Pictures.POSITION, phase, None))
    assert b"image/png" in compose(row)
    sink.faults = ["552 5.3.4 Message size exceeds fixed limit"]
    assert sending.drain(now=NOW) == 1
    row.refresh_from_db()
    assert (row.state, row.pictured_id) == (State.SENT, phase.pk)
    [(_, arrived)] = sink.taken
    assert text_of(arrived) == row.body
    assert "image/png" not in [part.get_content_type() for part in arrived.walk()]


def test_an_unknown_recipient_does_not_keep_the_others_waiting(sink):
    sink.unknown = {"gone@players.test"}
    gone = queue(recipient="gone@players.test", priority=Priority.RECEIPT)
    queue()
    assert sending.drain(now=NOW) == 1
    gone.refresh_from_db()
    assert gone.state == State.FAILED
    assert sink.connections == 1


@pytest.mark.parametrize("code", [451, 554])
def test_a_mail_refused_before_its_text_is_none_of_the_next_ones_business(sink, code):
    refused = queue(priority=Priority.RECEIPT)
    queue(recipient="ben@players.test")
    sink.not_before_text = [f"{code} 5.7.1 Not this one"]
    assert sending.drain(now=NOW) == 1
    assert sink.connections == 1
    refused.refresh_from_db()
    assert refused.state == (State.QUEUED if code == 451 else State.FAILED)
    assert refused.last_error == f"{code} 5.7.1 Not this one"


def test_a_mail_waits_while_its_sender_our_own_address_is_refused(sink):
    row = queue()
    sink.senders_refused = "553 5.7.1 Sender address rejected: not owned by user"
    assert sending.drain(now=NOW) == 0
    row.refresh_from_db()
    assert (row.state, row.not_before) == (State.QUEUED, NOW + PAUSE)
    assert row.last_error == sink.senders_refused
    sink.senders_refused = ""
    assert sending.drain(now=NOW + PAUSE) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        "553 5.7.1 <judge@game.test>: Sender address rejected: not owned by user judge",
        "554 5.7.1 <relay[192.0.2.7]>: Client host rejected: Access denied",
        "550 relay not permitted",
        # Also said to a client that is not logged in: permit_sasl_authenticated, reject.
        "554 5.7.1 <ana@players.test>: Recipient address rejected: Access denied",
    ],
)
def test_a_mail_waits_while_a_relay_that_heard_its_recipient_refuses_us(sink, refusal):
    """Postfix asks for the recipient before it refuses anything."""
    row = queue()
    sink.refuses = refusal
    assert sending.drain(now=NOW) == 0
    row.refresh_from_db()
    assert (row.state, row.last_error) == (State.QUEUED, refusal)


@pytest.mark.parametrize(
    "refusal",
    [
        "550 5.1.1 <ana@relay.example.org>: user unknown (relay2.example.org)",
        "550 5.7.124 <ana@players.test>: sender not in the allowed-senders list",
    ],
)
def test_a_mail_whose_recipient_is_refused_waits_for_nothing(sink, refusal):
    row = queue()
    sink.refuses = refusal
    assert sending.drain(now=NOW) == 0
    row.refresh_from_db()
    assert row.state == State.FAILED


def test_after_a_broken_connection_the_next_mail_gets_a_new_one(sink):
    queue(priority=Priority.RECEIPT)
    queue(recipient="ben@players.test")
    sink.faults = [faults.HANG_UP]
    assert sending.drain(now=NOW) == 1
    assert sink.connections == 2


def test_a_server_that_takes_so_many_mails_over_one_connection_gets_the_next_over_another(sink):
    for name in range(3):
        queue(recipient=f"{name}@players.test")
    sink.faults = ["", faults.CLOSE]
    assert sending.drain(now=NOW) == 3
    assert sink.connections == 2


def test_a_server_that_ends_every_connection_at_once_is_not_called_again_and_again(sink):
    rows = [queue(recipient=f"{name}@players.test") for name in range(2)]
    sink.faults = ["", *[faults.CLOSE] * 9]
    assert sending.drain(now=NOW) == 1
    assert sink.connections == 2
    assert OutboundMail.objects.filter(pk__in=[row.pk for row in rows], state=State.QUEUED).count()


def test_a_server_that_closes_each_new_connection_is_left_alone_after_a_few(sink, caplog):
    """It says “421 4.7.0 slow down”, and would ban whoever logs in again for each of 500 mails."""
    rows = [queue(recipient=f"a@{name}.test") for name in range(9)]
    sink.senders_refused = faults.CLOSE
    assert sending.drain(now=NOW) == 0
    assert sink.connections == 3
    assert "127.0.0.1 closes each connection at once: 421 4.3.2 Closing down" in caplog.text
    rows = OutboundMail.objects.filter(pk__in=[row.pk for row in rows])
    again = sending.mail_pause(1)
    assert {row.not_before - NOW for row in rows} == {again}
    sink.senders_refused = ""
    assert sending.drain(now=NOW + again) == 9


def test_a_server_that_cannot_be_reached_is_tried_once_for_all_mails(settings):
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    rows = [queue() for _ in range(3)]
    assert sending.drain(now=NOW) == 0
    for row in rows:
        row.refresh_from_db()
        assert (row.state, row.not_before, row.attempts) == (State.QUEUED, NOW + PAUSE, 1)


def test_a_mail_that_cannot_be_composed_does_not_block_the_next(sink):
    broken = queue(priority=Priority.RECEIPT)
    OutboundMail.objects.filter(pk=broken.pk).update(references="<a>\n<b>")
    queue()
    assert sending.drain(now=NOW) == 1
    broken.refresh_from_db()
    assert broken.state == State.FAILED


def test_a_mail_over_which_the_program_breaks_is_tried_later_and_does_not_block_the_next(
    sink, caplog
):
    broken = queue(priority=Priority.RECEIPT)
    OutboundMail.objects.filter(pk=broken.pk).update(buttons=[["READY", "ready", "of a newer day"]])
    other = queue(recipient="carla@players.test")
    OutboundMail.objects.filter(pk=other.pk).update(calendars=[["REQUEST", "it", "of a newer day"]])
    queue(recipient="ben@players.test")
    assert sending.drain(now=NOW) == 1
    other.refresh_from_db()
    assert (other.state, "ValueError" in other.last_error) == (State.QUEUED, True)
    broken.refresh_from_db()
    assert (broken.state, broken.not_before, broken.leased_by) == (State.QUEUED, NOW + PAUSE, "")
    assert "TypeError" in broken.last_error
    assert f"Mail #{broken.pk} broke the program" in caplog.text
    OutboundMail.objects.filter(pk=broken.pk).update(attempts=sending.ATTEMPTS)
    assert sending.drain(now=NOW + sending.GIVE_UP_AFTER) == 0
    broken.refresh_from_db()
    assert broken.state == State.FAILED


class ReadOnlyError(InternalError):
    """PostgreSQL refuses a change, as while a standby takes over."""

    sqlstate = READ_ONLY


@pytest.mark.parametrize("error", [OperationalError("it restarts"), ReadOnlyError("read-only")])
def test_a_database_that_is_gone_is_not_the_fault_of_the_mail(sink, monkeypatch, error):
    def gone(*_: object) -> None:
        raise error

    mail = queue()
    monkeypatch.setattr(smtp, "compose", gone)
    with pytest.raises(type(error)):
        sending.drain(now=NOW)
    mail.refresh_from_db()
    assert (mail.state, mail.last_error) == (State.QUEUED, "")


def test_a_server_that_never_answers_costs_one_timeout_for_all_mails(settings, monkeypatch):
    monkeypatch.setattr(relay, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        settings.EMAIL_URL = f"smtp://127.0.0.1:{deaf.getsockname()[1]}"
        rows = [queue(recipient=f"{name}@players.test") for name in range(20)]
        assert sending.drain(now=NOW) == 0
        deaf.accept()[0].close()
        deaf.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody called a second time
            deaf.accept()
    for row in rows:
        row.refresh_from_db()
        assert (row.state, row.not_before) == (State.QUEUED, NOW + PAUSE)


def test_a_server_that_hangs_over_a_mail_is_left_alone_from_then_on(monkeypatch, caplog):
    seconds = 0.0

    def hangs(*_: object) -> None:
        nonlocal seconds
        seconds += 30.0
        raise smtp.Unreachable("The connection broke: timed out")

    monkeypatch.setattr("mailer.outbound.sending.time.monotonic", lambda: seconds)
    monkeypatch.setattr(smtp.Session, "open", lambda _: None)
    monkeypatch.setattr(smtp.Session, "send", hangs)
    row = queue()
    assert sending.drain(now=NOW) == 0
    row.refresh_from_db()
    assert (row.attempts, row.not_before) == (1, NOW + dt.timedelta(seconds=30) + PAUSE)
    assert "Mail out: The connection broke: timed out" in caplog.text
