"""How fast we write to a domain: a limit that grows, and a rest for one that puts us off."""

from __future__ import annotations

import datetime as dt

import pytest
from pytest_django import Settings

from mailer.models import DomainPace, OutboundMail
from mailer.outbound import outbox, pace, sending
from tests.cast import DAY, NOW
from tests.servers import Relay
from tests.servers.relay import Fault

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]

MINUTE = dt.timedelta(minutes=1)
Priority = OutboundMail.Priority


def queue(number: int, domain: str, priority: int = Priority.RESULT) -> list[OutboundMail]:
    """So many mails to different people there."""
    mails: list[outbox.Mail] = [
        {
            "key": f"{domain}/{priority}/{one}",
            "kind": "note",
            "recipient": f"p{one}-{priority}@{domain}",
            "subject": "Hello",
            "body": "x",
            "now": NOW,
            "priority": priority,
        }
        for one in range(number)
    ]
    return outbox.enqueue_all(mails)


def sent(domain: str) -> int:
    done = OutboundMail.objects.filter(state=OutboundMail.State.SENT)
    return done.filter(recipient__endswith=f"@{domain}").count()


@pytest.fixture
def relay(smtp: Relay, settings: Settings) -> Relay:
    settings.EMAIL_URL = smtp.url
    return smtp


def known(domain: str, since: dt.datetime) -> None:
    DomainPace.objects.create(domain=domain, since=since, minute=since)


def test_without_a_setting_nothing_is_counted_or_held(relay: Relay) -> None:
    queue(12, "big.test")
    assert sending.drain(now=NOW) == 12
    assert not DomainPace.objects.exists()


def test_a_domain_gets_so_many_a_minute_and_others_do_not_wait(
    relay: Relay, settings: Settings
) -> None:
    settings.DOMAIN_MAILS_PER_MINUTE = 5
    for domain in ("big.test", "small.test"):
        known(domain, NOW - 30 * DAY)
    queue(12, "big.test")
    queue(2, "small.test")
    sending.drain(now=NOW)
    assert (sent("big.test"), sent("small.test")) == (5, 2)
    waiting = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED)
    assert {(one.not_before, one.attempts) for one in waiting} == {(NOW + MINUTE, 0)}
    sending.drain(now=NOW + MINUTE)
    assert sent("big.test") == 10
    sending.drain(now=NOW + 2 * MINUTE)
    assert sent("big.test") == 12


def test_receipts_never_wait_and_count(relay: Relay, settings: Settings) -> None:
    settings.DOMAIN_MAILS_PER_MINUTE = 3
    known("big.test", NOW - 30 * DAY)
    queue(2, "big.test")
    queue(5, "big.test", Priority.RECEIPT)
    sending.drain(now=NOW)
    assert sent("big.test") == 5
    assert DomainPace.objects.get().sent == 5
    left = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED)
    assert {one.priority for one in left} == {Priority.RESULT}


@pytest.mark.parametrize(
    ("days", "most"), [(0, 10), (1, 20), (6, 70), (13, 140), (14, 140), (400, 140)]
)
def test_the_limit_grows_for_a_fortnight(days: int, most: int) -> None:
    assert pace.allowed_a_minute(140, NOW, NOW + days * DAY) == most


def test_one_mail_a_minute_goes_whatever_the_limit() -> None:
    assert pace.allowed_a_minute(1, NOW, NOW) == 1


def test_a_domain_that_puts_off_rests_and_the_others_go_on(
    relay: Relay, settings: Settings
) -> None:
    relay.faults += [Fault.TEMPFAIL] * pace.PATIENCE
    queue(8, "sick.test", Priority.RECEIPT)
    queue(4, "well.test")
    sending.drain(now=NOW)
    assert (sent("sick.test"), sent("well.test")) == (0, 4)
    tried = OutboundMail.objects.filter(recipient__endswith="@sick.test", attempts=1)
    assert tried.count() == pace.PATIENCE, "the others were not tried in vain"
    sending.drain(now=NOW + MINUTE)
    assert sent("sick.test") == 8


def test_it_rests_longer_each_time_and_a_mail_that_is_taken_ends_it() -> None:
    (mail,) = [OutboundMail(recipient="a@sick.test", priority=Priority.RESULT)]
    rests = []
    for _ in range(pace.PATIENCE + 8):
        pace.note_deferred(mail, now=NOW)
        rests.append(pace.wait(mail, NOW).total_seconds())
    assert rests[: pace.PATIENCE + 4] == [0, 0, 60, 120, 240, 480, 900]
    assert set(rests[pace.PATIENCE + 4 :]) == {900}
    pace.note_taken(mail)
    assert pace.wait(mail, NOW) == pace.NOT_AT_ALL


def test_one_mailbox_that_is_full_slows_nobody() -> None:
    full = OutboundMail(recipient="full@big.test", priority=Priority.RESULT)
    other = OutboundMail(recipient="other@big.test", priority=Priority.RESULT)
    for _ in range(20):
        pace.note_deferred(full, now=NOW)
        pace.note_taken(other)
    assert pace.wait(other, NOW) == pace.NOT_AT_ALL
