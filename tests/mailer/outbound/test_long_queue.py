"""A long queue of mails: one look at it serves many leases, and nothing goes out of turn for it."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mailer.models import OutboundMail
from mailer.outbound import leases, outbox
from mailer.outbound.leases import AHEAD, MOST, Due
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db

SECOND = dt.timedelta(seconds=1)
RECEIPT, NOTICE = OutboundMail.Priority.RECEIPT, OutboundMail.Priority.NOTICE


def queue(*recipients: str, priority: int = NOTICE, body: str = "News.\n") -> None:
    before = OutboundMail.objects.count()
    outbox.enqueue_all(
        [
            {
                "key": f"test/{number}",
                "kind": "test",
                "recipient": f"{name}@players.test",
                "subject": "News",
                "body": body,
                "now": NOW,
                "priority": priority,
            }
            for number, name in enumerate(recipients, start=before)
        ]
    )


def names(mails: Iterable[OutboundMail]) -> list[str]:
    return [mail.recipient.partition("@")[0] for mail in mails]


def everybody(number: int) -> list[str]:
    return [f"p{one:03}" for one in range(number)]


def test_one_look_serves_many_leases() -> None:
    queue(*everybody(AHEAD))
    due, taken = Due(), []
    with CaptureQueriesContext(connection) as sent:
        while batch := due.lease(now=NOW, limit=500):
            assert len(batch) == MOST
            taken += names(batch)
    assert sorted(taken) == everybody(AHEAD)
    looks = [one for one in sent.captured_queries if "ROW_NUMBER" in one["sql"]]
    assert len(looks) == 2  # the second finds nothing more


def test_mails_that_tell_of_the_same_leave_one_after_the_other(marne: Cast) -> None:
    """Thousands may be queued in the same moment, and those of a phase have the same pictures."""
    OutboundMail.objects.all().delete()
    queue(*everybody(40))
    told_of = [event.pk for event in marne.game.events.order_by("pk")][:2]
    for number, mail in enumerate(OutboundMail.objects.order_by("pk")):
        OutboundMail.objects.filter(pk=mail.pk).update(event=told_of[number % 2])
    due, taken = Due(), []
    while batch := due.lease(now=NOW, limit=500):
        taken += [mail.event_id for mail in batch]
    assert taken == 20 * told_of[:1] + 20 * told_of[1:]


def test_a_worker_takes_all_mails_that_tell_of_the_same_as_far_as_ten_hold_them(
    marne: Cast,
) -> None:
    """Whoever has the rest of them would draw the same pictures."""
    OutboundMail.objects.all().delete()
    queue(*everybody(34))
    [one, other] = [event.pk for event in marne.game.events.order_by("pk")][:2]
    told_of = 6 * [one] + 13 * [other] + 15 * [None]
    for mail, event in zip(OutboundMail.objects.order_by("pk"), told_of, strict=True):
        OutboundMail.objects.filter(pk=mail.pk).update(event=event)
    one_worker, another, taken = Due(), Due(), []
    while batch := [one_worker.lease(now=NOW, limit=500), another.lease(now=NOW, limit=500)]:
        if not any(batch):
            break
        taken += [[mail.event_id for mail in part] for part in batch if part]
    assert [one] * 6 in taken
    assert [other] * 10 in taken
    assert sum(map(len, taken)) == 34


def test_what_is_leased_is_whole_and_counts_as_tried() -> None:
    queue(*everybody(2 * MOST), body="All of it.\n")
    due = Due()
    for mail in [*due.lease(now=NOW, limit=MOST), *due.lease(now=NOW, limit=MOST)]:
        assert (mail.body, mail.attempts, mail.leased_until) == (
            "All of it.\n",
            1,
            NOW + leases.LEASE,
        )
        assert mail.get_deferred_fields() == set()


def test_of_several_mails_to_one_recipient_the_first_alone_is_found_ahead() -> None:
    queue(*everybody(MOST), "ana", "ana", "ana")
    due = Due()
    taken = names(due.lease(now=NOW, limit=MOST)) + names(due.lease(now=NOW, limit=MOST))
    assert sorted(taken) == ["ana", *everybody(MOST)]
    assert due.lease(now=NOW, limit=MOST) == []  # hers is on its way


def test_two_workers_with_the_same_look_take_each_mail_once() -> None:
    queue(*everybody(3 * MOST))
    one, other = Due(), Due()
    taken = names(one.lease(now=NOW, limit=MOST))
    taken += names(other.lease(now=NOW, limit=MOST))
    while batch := [*one.lease(now=NOW, limit=MOST), *other.lease(now=NOW, limit=MOST)]:
        taken += names(batch)
    assert sorted(taken) == everybody(3 * MOST)


def test_what_was_put_off_since_the_look_is_left_alone() -> None:
    queue(*everybody(2 * MOST))
    due = Due()
    first = names(due.lease(now=NOW, limit=MOST))
    OutboundMail.objects.filter(leased_until=None).update(not_before=NOW + SECOND)
    assert due.lease(now=NOW, limit=MOST) == []
    assert sorted(first + names(due.lease(now=NOW + SECOND, limit=MOST))) == everybody(2 * MOST)


def test_after_some_seconds_a_receipt_goes_before_the_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue(*everybody(4 * MOST))
    due = Due()
    due.lease(now=NOW, limit=MOST)
    queue("zoe", priority=RECEIPT)
    assert "zoe" not in names(due.lease(now=NOW, limit=MOST))
    later = time.monotonic() + leases.LOOK_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert names(due.lease(now=NOW + SECOND, limit=MOST))[0] == "zoe"
