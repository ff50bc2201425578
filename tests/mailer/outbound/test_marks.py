"""What was sent is marked as sent, whenever a worker or the database stops."""

from __future__ import annotations

import contextlib
import datetime as dt
import itertools
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.db import InterfaceError, OperationalError, connection

from mailer.models import OutboundMail
from mailer.outbound import leases, marks, sending, smtp
from mailer.outbound.keeping import Keeper
from tests.mailer import sink as faults
from tests.mailer.outbound.queueing import MINUTE, NOW, State, arrived, queue

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_was_sent_is_marked_while_the_server_hangs_over_the_next_mail(sink, monkeypatch):
    monkeypatch.setattr(sending, "keep_lease", Keeper(watch=0.02).keep)
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
    monkeypatch.setattr(sending, "keep_lease", Keeper(watch=0.02, renew=0.05).keep)
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
