"""Mail out: queued once, leased, sent, retried, given up."""

from __future__ import annotations

import contextlib
import datetime as dt
import itertools
import socket
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import InterfaceError, InternalError, OperationalError, connection, transaction

from games.models import Phase
from games.services.setup.games import game_create
from games.services.sick_database import READ_ONLY
from mailer.models import OutboundMail, Picture
from mailer.outbound import leases, marks, outbox, sending, smtp
from mailer.outbound.compose import compose
from mailer.outbound.pictured import PictureRequest
from tests.mailer import sink as faults
from tests.mailer.outbound.queueing import MINUTE, NOW, PAUSE, Priority, State, queue, text_of
from tests.mailer.sink import Sink

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_key_twice_is_one_mail_with_the_first_text():
    first = queue("result/1/2", body="first")
    second = queue("result/1/2", body="second", recipient="ben@players.test")
    assert first.pk == second.pk
    assert (second.body, second.recipient) == ("first", "ana@players.test")


def test_a_mail_is_undone_with_the_transaction_that_queued_it():
    with transaction.atomic():
        queue()
        transaction.set_rollback(True)
    assert not OutboundMail.objects.exists()


@pytest.mark.parametrize(
    "recipient", ["", "ana", "a@x.test, b@x.test", "a@x.test\nBcc: b@x.test", "<a@x.test>"]
)
def test_what_is_not_exactly_one_address_is_refused(recipient):
    with pytest.raises(ValidationError):
        queue(recipient=recipient)


def test_line_breaks_cannot_smuggle_headers_into_a_mail(sink):
    queue(
        subject="Re: hello\r\nBcc: eve@evil.test\u2028X",
        references="<a@x.test>\r\n <b@x.test>",
        in_reply_to="<b@x.test>\nX-Evil: 1",
    )
    assert sending.drain(now=NOW) == 1
    [(_, mail)] = sink.taken
    assert "Bcc" not in mail
    assert "X-Evil" not in mail
    assert mail["References"].split() == ["<a@x.test>", "<b@x.test>"]


def test_a_mail_arrives_with_its_threading_and_the_marks_that_silence_machines(sink):
    row = queue(
        subject="[marne] Fall 1903 retreats: results",
        body="Zürich – größer\n",
        reply_to="judge+abc@localhost",
        in_reply_to="<you@x.test>",
        references="<root@x.test> <you@x.test>",
    )
    sending.drain(now=NOW + MINUTE)
    [(recipient, mail)] = sink.taken
    assert recipient == "ana@players.test"
    assert mail["Subject"] == "[marne] Fall 1903 retreats: results"
    assert mail["Message-ID"] == row.message_id
    assert mail["Date"].datetime == NOW
    assert mail["Reply-To"] == "judge+abc@localhost"
    assert mail["In-Reply-To"] == "<you@x.test>"
    assert mail["References"] == "<root@x.test> <you@x.test>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert text_of(mail) == "Zürich – größer\n"
    row.refresh_from_db()
    assert (row.state, row.sent_at, row.leased_until) == (State.SENT, NOW + MINUTE, None)


def test_no_line_on_the_wire_is_longer_than_mail_allows(sink):
    queue(body="word " * 1000 + "\n")
    sending.drain(now=NOW)
    [(_, mail)] = sink.taken
    assert max(len(line) for line in mail.as_bytes().splitlines()) < 998
    assert text_of(mail) == "word " * 1000 + "\n"


def test_receipts_go_before_results_and_results_before_notices(sink):
    for priority in (Priority.NOTICE, Priority.RESULT, Priority.RECEIPT):
        recipient = f"{priority.label.lower()}@players.test"
        queue(priority=priority, subject=priority.label, recipient=recipient)
    sending.drain(now=NOW)
    assert sink.subjects() == ["Receipt", "Result", "Notice"]


# --- In which order ------------------------------------------------------------------------


def subjects_to(sink: Sink, recipient: str) -> list[str]:
    return [str(mail["Subject"]) for to, mail in sink.taken if to == recipient]


@pytest.mark.parametrize("at_once", [3, 25])
def test_mails_to_one_recipient_arrive_in_the_order_in_which_they_were_queued(sink, at_once):
    """The last receipt in a mailbox is taken for what stands."""
    numbers = [f"receipt {number}" for number in range(at_once)]
    for subject in numbers:
        queue(subject=subject, priority=Priority.RECEIPT)
        queue(subject=subject, priority=Priority.RECEIPT, recipient="ben@players.test")
    assert sending.drain(now=NOW) == 2 * at_once
    assert subjects_to(sink, "ana@players.test") == numbers
    assert subjects_to(sink, "ben@players.test") == numbers


def test_recipients_take_turns(sink):
    for _ in range(30):
        queue()
    queue(recipient="ben@players.test")
    sending.drain(now=NOW)
    assert "ben@players.test" in [recipient for recipient, _ in sink.taken[:2]]


def test_a_receipt_takes_what_was_queued_before_it_along(sink):
    for name in range(12):
        queue(recipient=f"{name}@players.test")
    queue(subject="the result", priority=Priority.RESULT)
    queue(subject="the receipt", priority=Priority.RECEIPT)
    sending.drain(now=NOW)
    assert sink.subjects()[:2] == ["the result", "the receipt"]


def test_a_mail_does_not_overtake_one_to_the_same_recipient_that_was_put_off(sink):
    queue(subject="first")
    queue(subject="second")
    queue(subject="somebody else's", recipient="ben@players.test")
    sink.full = {"ana@players.test"}
    assert sending.drain(now=NOW) == 1
    sink.full = set()
    queue(subject="third", now=NOW + PAUSE / 2)
    assert sending.drain(now=NOW + PAUSE / 2) == 0
    assert sending.drain(now=NOW + PAUSE) == 3
    assert subjects_to(sink, "ana@players.test") == ["first", "second", "third"]
    assert set(OutboundMail.objects.values_list("state", "leased_by")) == {(State.SENT, "")}


def test_a_mail_that_the_server_puts_off_for_ever_stops_none_behind_it_for_ever(sink):
    stuck = queue(subject="stuck")
    OutboundMail.objects.filter(pk=stuck.pk).update(
        attempts=leases.PATIENCE + 1, not_before=NOW + 30 * MINUTE
    )
    queue(subject="news")
    assert sending.drain(now=NOW) == 1
    assert sink.subjects() == ["news"]


def test_a_mail_waits_while_another_worker_sends_one_to_the_same_recipient(sink):
    queue(subject="first")
    [mine] = leases.lease(now=NOW, limit=10)
    queue(subject="second")
    assert sending.drain(now=NOW) == 0
    marks.mark_sent([mine], now=NOW)
    assert sending.drain(now=NOW) == 1


# --- Leases --------------------------------------------------------------------------------


def test_a_worker_takes_few_mails_at_a_time_and_for_a_minute_at_most(sink):
    for name in range(40):
        queue(recipient=f"{name}@players.test")
    taken = leases.lease(now=NOW, limit=leases.MOST)
    assert len(taken) <= 10
    assert {mail.leased_until for mail in taken} == {NOW + MINUTE}


def test_a_lease_is_renewed_as_long_as_its_worker_lives(sink, monkeypatch):
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(leases, "WATCH_SECONDS", 0.02)
    row = queue()
    batch = leases.lease(now=NOW, limit=1)
    with leases.keep_lease(batch, at=NOW, taken=time.monotonic()):
        end = time.monotonic() + 20
        while row.leased_until is None or row.leased_until <= NOW + leases.LEASE:
            assert time.monotonic() < end
            row.refresh_from_db()
    row.refresh_from_db()
    until = row.leased_until
    time.sleep(0.2)
    row.refresh_from_db()
    assert row.leased_until == until


def test_what_was_sent_is_marked_while_the_server_hangs_over_the_next_mail(sink, monkeypatch):
    monkeypatch.setattr(leases, "WATCH_SECONDS", 0.02)
    monkeypatch.setattr(marks, "LONGEST_WAIT", 0.02)
    rows = [queue(recipient=f"{name}@players.test") for name in "ab"]
    sink.hangs_after = 1

    def drained() -> int:
        try:
            return sending.drain(now=NOW)
        finally:
            connection.close()

    def states() -> list[str]:
        for row in rows:
            row.refresh_from_db()
        return sorted(row.state for row in rows)

    with ThreadPoolExecutor(1) as pool:
        draining = pool.submit(drained)
        try:
            end = time.monotonic() + 20
            while states() != ["queued", "sent"]:
                assert time.monotonic() < end
        finally:
            sink.released.set()
        assert draining.result(timeout=60) == 2
    assert states() == ["sent", "sent"]


def test_a_lease_is_renewed_until_the_last_mark_is_written(sink, monkeypatch):
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(leases, "WATCH_SECONDS", 0.02)
    row, write = queue(), marks.mark_sent

    def held_up(mails: Sequence[OutboundMail], *, now: dt.datetime) -> None:
        row.refresh_from_db()
        until, end = row.leased_until, time.monotonic() + 20
        while row.leased_until == until:
            assert time.monotonic() < end, "others may take a mail that we have sent"
            row.refresh_from_db()
        write(mails, now=now)

    monkeypatch.setattr(marks, "mark_sent", held_up)
    assert sending.drain(now=NOW) == 1
    row.refresh_from_db()
    assert row.state == OutboundMail.State.SENT


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_marks_that_the_database_does_not_take_are_kept_for_later(monkeypatch, caplog, error):
    row = queue()
    monkeypatch.setattr(marks, "LONGEST_WAIT", 0.0)
    waiting = marks.Marks(NOW)
    waiting._waiting.append(row)

    def away(*args: object, **kwargs: object) -> None:
        raise error("away")

    with monkeypatch.context() as patch:
        patch.setattr(marks, "mark_sent", away)
        waiting.write_late()
    assert "what was sent could not be marked yet: away" in caplog.text
    waiting.write_late()
    row.refresh_from_db()
    assert row.state == OutboundMail.State.SENT


def test_a_lease_that_took_long_to_get_is_renewed_from_now_on(sink):
    row = queue()
    batch = leases.lease(now=NOW, limit=1)
    with leases.keep_lease(batch, at=NOW, taken=time.monotonic() - 120):
        end = time.monotonic() + 20
        while row.leased_until is None or row.leased_until < NOW + 2 * MINUTE + leases.LEASE:
            assert time.monotonic() < end
            row.refresh_from_db()


def test_a_renewal_does_not_touch_the_lease_of_the_next_worker(monkeypatch):
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(leases, "WATCH_SECONDS", 0.02)
    row = queue()
    lost = leases.lease(now=NOW, limit=1)
    [kept] = leases.lease(now=NOW + leases.LEASE, limit=1)
    with leases.keep_lease(lost, at=NOW + 5 * MINUTE, taken=time.monotonic()):
        time.sleep(0.2)
    row.refresh_from_db()
    assert row.leased_until == kept.leased_until


def goes_on_after_a_minute(batch) -> list[bool]:
    """A worker takes mails, its machine stands still for longer than its lease, and goes on."""
    taken = time.monotonic() - leases.LEASE.total_seconds() - 1
    with smtp.Session(settings.EMAIL_URL) as session:
        end = time.monotonic() + 60
        with marks.Marks(NOW) as marking:
            return list(sending.send_batch(session, batch, marking, end=end, at=NOW, taken=taken))


def test_a_worker_that_stood_still_sends_nothing_that_another_has_sent(sink):
    for name in "abc":
        queue(recipient=f"{name}@players.test")
    batch = leases.lease(now=NOW, limit=10)
    assert sending.drain(now=NOW + leases.LEASE) == 3
    assert goes_on_after_a_minute(batch) == []
    assert len(sink.taken) == 3


def test_a_worker_that_stood_still_leaves_alone_what_another_is_about_to_send(sink):
    row = queue()
    batch = leases.lease(now=NOW, limit=10)
    [theirs] = leases.lease(now=NOW + leases.LEASE, limit=10)
    assert goes_on_after_a_minute(batch) == []
    row.refresh_from_db()
    assert (row.leased_by, row.leased_until) == (theirs.leased_by, theirs.leased_until)


def test_a_worker_that_stood_still_sends_what_nobody_else_took(sink):
    queue()
    assert goes_on_after_a_minute(leases.lease(now=NOW, limit=10)) == [True]
    assert sending.drain(now=NOW + leases.LEASE) == 0
    assert len(sink.taken) == 1


def test_many_mails_share_one_connection(sink):
    for _ in range(120):
        queue()
    assert sending.drain(now=NOW) == 120
    assert sink.connections == 1


def test_a_mail_for_later_waits(sink):
    queue(now=NOW + MINUTE)
    assert sending.drain(now=NOW) == 0
    assert sending.drain(now=NOW + MINUTE) == 1


def test_a_sent_mail_is_never_sent_again(sink):
    queue()
    assert [sending.drain(now=NOW), sending.drain(now=NOW + MINUTE)] == [1, 0]


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


def test_what_another_worker_has_leased_is_left_to_it_until_the_lease_ends(sink):
    queue()
    [mine] = leases.lease(now=NOW, limit=10)
    assert sending.drain(now=NOW + leases.LEASE / 2) == 0
    assert sending.drain(now=NOW + leases.LEASE) == 1
    sending.put_off(mine, "too late", now=NOW + leases.LEASE)
    mine.refresh_from_db()
    assert mine.state == State.SENT


def test_where_another_worker_has_the_first_mail_to_somebody_the_next_one_waits():
    first, second = queue(), queue()
    leases.lease(now=NOW, limit=1)
    assert leases._take([first, second], NOW) == []
    second.refresh_from_db()
    assert (second.leased_until, second.attempts) == (None, 0)


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_lease_that_the_database_does_not_renew_stops_no_sender(monkeypatch, caplog, error):
    def away(*_: object) -> None:
        raise error("the database restarts")

    monkeypatch.setattr(connection, "cursor", away)
    assert not leases.prolong("ours", now=NOW)
    assert "the lease could not be renewed: the database restarts" in caplog.text


@pytest.mark.only_on("PostgreSQL")
def test_a_lease_is_renewed_over_a_new_connection_when_the_old_one_breaks(monkeypatch):
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(leases, "WATCH_SECONDS", 0.02)
    row = queue()
    batch = leases.lease(now=NOW, limit=1)
    broken: list[bool] = []

    def break_once() -> None:
        """In the thread that renews the lease, as when the database restarts."""
        if not broken:
            connection.ensure_connection()
            connection.connection.close()
            broken.append(True)

    with leases.keep_lease(batch, at=NOW, taken=time.monotonic(), each_second=break_once):
        end = time.monotonic() + 20
        while row.leased_until is None or row.leased_until <= NOW + leases.LEASE:
            assert time.monotonic() < end
            row.refresh_from_db()


def arrived(sink: Sink) -> Counter[str]:
    """How often each mail was taken."""
    return Counter(str(mail["Message-ID"]) for _, mail in sink.taken)


def clock_that_runs() -> SimpleNamespace:
    """Stand in for `time`: it passes only when somebody waits."""
    passed = [0.0]

    def sleep(seconds: float) -> None:
        passed[0] += seconds

    return SimpleNamespace(monotonic=lambda: passed[0], sleep=sleep)


def killed(*_: object, **__: object) -> None:
    raise SystemExit


def test_a_crash_between_the_servers_yes_and_the_mark_repeats_one_batch_at_most(sink, monkeypatch):
    rows = [queue(recipient=f"{name}@players.test") for name in range(25)]
    written = iter([marks.mark_sent])
    monkeypatch.setattr(marks, "LONGEST_WAIT", 60.0)  # on a busy machine a batch takes its second
    monkeypatch.setattr(
        marks, "mark_sent", lambda mails, *, now: next(written, killed)(mails, now=now)
    )
    with pytest.raises(SystemExit):  # at the second mark
        sending.drain(now=NOW)
    monkeypatch.undo()
    assert sending.drain(now=NOW + 2 * leases.LEASE) == 15
    assert set(arrived(sink)) == {row.message_id for row in rows}
    assert Counter(arrived(sink).values()) == {1: 15, 2: 10}


def test_what_was_taken_before_a_worker_is_stopped_is_marked_and_not_repeated(sink, monkeypatch):
    rows = [queue(recipient=f"{name}@players.test") for name in range(5)]
    sends = iter([smtp.Session.send] * 3)
    monkeypatch.setattr(smtp.Session, "send", lambda self, mail: next(sends, killed)(self, mail))
    with pytest.raises(SystemExit):  # over the fourth
        sending.drain(now=NOW)
    assert OutboundMail.objects.filter(state=State.SENT).count() == 3
    monkeypatch.undo()
    assert sending.drain(now=NOW + 2 * leases.LEASE) == 2
    assert arrived(sink) == {row.message_id: 1 for row in rows}


@pytest.mark.parametrize("refusals", [1, 99])
def test_what_the_database_cannot_mark_at_once_is_marked_later_and_not_repeated(
    sink, monkeypatch, refusals
):
    row, write, left = queue(), marks.mark_sent, iter(range(refusals))

    def full(mails: Sequence[OutboundMail], *, now: dt.datetime) -> None:
        if next(left, None) is not None:
            raise OperationalError("the disk is full")
        write(mails, now=now)

    monkeypatch.setattr(marks, "mark_sent", full)
    monkeypatch.setattr(marks, "time", clock_that_runs())
    with contextlib.suppress(OperationalError):
        sending.drain(now=NOW)
    monkeypatch.undo()
    assert sending.drain(now=NOW + 2 * leases.LEASE) == 0
    row.refresh_from_db()
    assert (arrived(sink), row.state, row.sent_at) == ({row.message_id: 1}, State.SENT, NOW)


def test_a_lost_250_repeats_that_mail_and_none_before_or_after_it(sink):
    for name in range(3):
        queue(recipient=f"{name}@players.test")
    sink.faults = ["", faults.HANG_UP]
    assert sending.drain(now=NOW) == 2
    assert OutboundMail.objects.filter(state=State.SENT).count() == 2
    assert sending.drain(now=NOW + MINUTE) == 1
    assert sorted(arrived(sink).values()) == [1, 1, 2]


def test_no_mark_waits_longer_than_a_second_for_others(sink, monkeypatch):
    for name in range(6):
        queue(recipient=f"{name}@players.test")
    together: list[int] = []
    write = marks.mark_sent

    def counted(mails, *, now):
        together.append(len(mails))
        write(mails, now=now)

    monkeypatch.setattr(marks, "mark_sent", counted)
    clock = itertools.count(0.0, 0.25)  # it is read twice for a mail that may have to wait
    monkeypatch.setattr(marks, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert sending.drain(now=NOW) == 6
    assert together == [4, 2]


def test_when_time_is_up_the_rest_of_the_batch_is_given_back(sink, monkeypatch):
    row = queue()
    monkeypatch.setattr(sending, "WORKING_TIME", -1.0)
    assert sending.drain(now=NOW, limit=1) == 0
    row.refresh_from_db()
    assert (row.attempts, row.leased_until, row.not_before) == (0, None, NOW)


def test_message_ids_are_random_and_carry_our_domain(settings):
    settings.JUDGE_ADDRESS = "judge@game.example"
    ids = {queue().message_id for _ in range(5)}
    assert len(ids) == 5
    assert all(one.endswith("@game.example>") for one in ids)


@pytest.mark.parametrize(
    "subject",
    [
        "[marne] Ünal Şahin has joined",
        "[marne] " + "Ein sehr langer Titel " * 11,
        "[marne] Fall 1903 retreats: results",
    ],
)
@pytest.mark.parametrize("body", ["plain\n", "größer\n", "x" * 2000 + "\n", ".\nFrom here\n.\n"])
def test_subjects_and_bodies_of_any_letters_arrive_as_they_were_written(sink, subject, body):
    queue(subject=subject, body=body)
    sending.drain(now=NOW)
    [(_, mail)] = sink.taken
    assert mail["Subject"] == subject.strip()
    assert text_of(mail) == body


def test_a_server_that_never_answers_costs_one_timeout_for_all_mails(settings, monkeypatch):
    monkeypatch.setattr(smtp, "TIMEOUT", 0.2)
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


def test_two_workers_at_once_send_every_mail_once(sink):
    rows = [queue(recipient=f"{name}@players.test") for name in range(60)]
    workers = [threading.Thread(target=drain_and_disconnect) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    arrived = [str(mail["Message-ID"]) for _, mail in sink.taken]
    assert sorted(arrived) == sorted(row.message_id for row in rows)


def drain_and_disconnect() -> None:
    try:
        sending.drain(now=NOW)
    finally:
        connection.close()


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_line_that_begins_with_a_dot_arrives_as_it_was_written(sink, end):
    """A line of a dot alone would end the mail (RFC 5321, 4.5.2)."""
    body = f"..first\n\n.\n.. \nlast.{end}"
    queue(body=body)
    queue(body="And one behind it.\n")
    assert sending.drain(now=NOW) == 2
    assert [text_of(mail).rstrip("\n") for _, mail in sink.taken] == [
        body.rstrip("\n"),
        "And one behind it.",
    ]
