"""Workers lease the mails that they send, and leave alone what another has leased."""

from __future__ import annotations

import threading
import time
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from mailer.models import OutboundMail
from mailer.outbound import leases, marks, sending, smtp
from mailer.outbound.keeping import Keeper
from tests.mailer.outbound.queueing import MINUTE, NOW, State, queue

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_takes_few_mails_at_a_time_and_for_a_minute_at_most(sink):
    for name in range(40):
        queue(recipient=f"{name}@players.test")
    taken = leases.Due().lease(now=NOW, limit=leases.MOST)
    assert len(taken) <= 10
    assert {mail.leased_until for mail in taken} == {NOW + MINUTE}


@pytest.mark.only_on("PostgreSQL")
def test_the_row_of_a_mail_that_is_taken_stays_in_its_page(sink):
    for name in range(4):  # in random words, or PostgreSQL would make them small
        queue(recipient=f"{name}@players.test", body=" ".join(uuid4().hex for _ in range(30)))
    queued = pages_of_mails()
    assert len(leases.Due().lease(now=NOW, limit=leases.MOST)) == len(queued) == 4
    assert pages_of_mails() == queued


def pages_of_mails() -> list[int]:
    """In which page of the table each mail's newest row lies."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (ctid::text::point)[0]::int FROM mailer_outboundmail ORDER BY id")
        return [page for (page,) in cursor.fetchall()]


def quick() -> Keeper:
    return Keeper(watch=0.02, renew=0.05)


def wait_until_renewed(row: OutboundMail) -> None:
    """Wait until the lease of this mail, which was taken at NOW, lasts longer."""
    end = time.monotonic() + 20
    while row.leased_until is None or row.leased_until <= NOW + leases.LEASE:
        assert time.monotonic() < end
        row.refresh_from_db()


def test_a_lease_is_renewed_as_long_as_its_worker_lives(sink):
    row = queue()
    batch = leases.Due().lease(now=NOW, limit=1)
    with quick().keep(batch, leases.Begun(NOW, time.monotonic())):
        wait_until_renewed(row)
    row.refresh_from_db()
    until = row.leased_until
    time.sleep(0.2)
    row.refresh_from_db()
    assert row.leased_until == until


def test_a_lease_is_renewed_though_the_thread_that_kept_others_has_died(sink):
    """As in a process that was forked, or after an error: it is begun again."""
    row, keeper = queue(), quick()
    keeper._thread = threading.Thread(target=lambda: None)
    keeper._thread.start()
    keeper._thread.join()
    batch = leases.Due().lease(now=NOW, limit=1)
    with keeper.keep(batch, leases.Begun(NOW, time.monotonic())):
        wait_until_renewed(row)


def test_a_lease_that_took_long_to_get_is_renewed_from_now_on(sink):
    row = queue()
    batch = leases.Due().lease(now=NOW, limit=1)
    with Keeper(watch=0.02).keep(batch, leases.Begun(NOW, time.monotonic() - 120)):
        end = time.monotonic() + 20
        while row.leased_until is None or row.leased_until < NOW + 2 * MINUTE + leases.LEASE:
            assert time.monotonic() < end
            row.refresh_from_db()


def test_a_renewal_does_not_touch_the_lease_of_the_next_worker():
    row = queue()
    lost = leases.Due().lease(now=NOW, limit=1)
    [kept] = leases.Due().lease(now=NOW + leases.LEASE, limit=1)
    lease, looks = leases.Begun(NOW + 5 * MINUTE, time.monotonic()), threading.Semaphore(0)
    with Keeper(watch=0.02, renew=0).keep(lost, lease, each_second=looks.release):
        assert all(looks.acquire(timeout=20) for _ in range(2)), "it renews after each look"
    row.refresh_from_db()
    assert row.leased_until == kept.leased_until


def test_one_thread_keeps_the_leases_of_all_batches_and_ends_after_the_last(sink):
    queue()
    batch, others = leases.Due().lease(now=NOW, limit=1), set(threading.enumerate())
    keeper, looks = Keeper(watch=0.02), threading.Semaphore(0)
    lease = leases.Begun(NOW, time.monotonic())
    for _ in range(2):
        begun = []
        for _ in range(3):
            with keeper.keep(batch, lease, each_second=looks.release):
                begun += set(threading.enumerate()) - others
                assert looks.acquire(timeout=20)
        [one] = set(begun)
        one.join(timeout=20)
        assert not one.is_alive()


def test_leases_are_kept_though_something_done_meanwhile_breaks(sink, caplog):
    row = queue()
    batch = leases.Due().lease(now=NOW, limit=1)
    broken = iter([1 / 3])  # the second look finds nothing more
    with quick().keep(batch, leases.Begun(NOW, time.monotonic()), each_second=broken.__next__):
        wait_until_renewed(row)
    assert "could not be looked after" in caplog.text


def goes_on_after_a_minute(batch) -> list[bool]:
    """A worker takes mails, its machine stands still for longer than its lease, and goes on."""
    lease = leases.Begun(NOW, time.monotonic() - leases.LEASE.total_seconds() - 1)
    with smtp.Session(settings.EMAIL_URL) as session:
        end = time.monotonic() + 60
        with marks.Marks(NOW) as marking:
            return list(sending.send_batch(session, batch, marking, lease, end=end))


def test_a_worker_that_stood_still_sends_nothing_that_another_has_sent(sink):
    for name in "abc":
        queue(recipient=f"{name}@players.test")
    batch = leases.Due().lease(now=NOW, limit=10)
    assert sending.drain(now=NOW + leases.LEASE) == 3
    assert goes_on_after_a_minute(batch) == []
    assert len(sink.taken) == 3


def test_a_worker_that_stood_still_leaves_alone_what_another_is_about_to_send(sink):
    row = queue()
    batch = leases.Due().lease(now=NOW, limit=10)
    [theirs] = leases.Due().lease(now=NOW + leases.LEASE, limit=10)
    assert goes_on_after_a_minute(batch) == []
    row.refresh_from_db()
    assert (row.leased_by, row.leased_until) == (theirs.leased_by, theirs.leased_until)


def test_a_worker_that_stood_still_sends_what_nobody_else_took(sink):
    queue()
    assert goes_on_after_a_minute(leases.Due().lease(now=NOW, limit=10)) == [True]
    assert sending.drain(now=NOW + leases.LEASE) == 0
    assert len(sink.taken) == 1


def test_what_another_worker_has_leased_is_left_to_it_until_the_lease_ends(sink):
    queue()
    [mine] = leases.Due().lease(now=NOW, limit=10)
    assert sending.drain(now=NOW + leases.LEASE / 2) == 0
    assert sending.drain(now=NOW + leases.LEASE) == 1
    sending.put_off(mine, "too late", now=NOW + leases.LEASE)
    mine.refresh_from_db()
    assert mine.state == State.SENT


def test_where_another_worker_has_the_first_mail_to_somebody_the_next_one_waits():
    first, second = queue(), queue()
    leases.Due().lease(now=NOW, limit=1)
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
def test_a_lease_is_renewed_over_a_new_connection_when_the_old_one_breaks():
    row = queue()
    batch = leases.Due().lease(now=NOW, limit=1)
    broken: list[bool] = []

    def break_once() -> None:
        """In the thread that renews the lease, as when the database restarts."""
        if not broken:
            connection.ensure_connection()
            connection.connection.close()
            broken.append(True)

    with quick().keep(batch, leases.Begun(NOW, time.monotonic()), each_second=break_once):
        end = time.monotonic() + 20
        while row.leased_until is None or row.leased_until <= NOW + leases.LEASE:
            assert time.monotonic() < end
            row.refresh_from_db()
