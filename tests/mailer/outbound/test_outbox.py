"""Mail out: queued once, leased, sent, retried, given up."""

from __future__ import annotations

import threading

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from mailer.models import OutboundMail
from mailer.outbound import leases, marks, sending
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
    [mine] = leases.Due().lease(now=NOW, limit=10)
    queue(subject="second")
    assert sending.drain(now=NOW) == 0
    marks.mark_sent([mine], now=NOW)
    assert sending.drain(now=NOW) == 1


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
