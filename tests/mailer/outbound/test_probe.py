"""A mail to ourselves: out by the relay, in by the mailbox, measured, missed when it is lost."""

from __future__ import annotations

import datetime as dt

import pytest
from pytest_django import Settings

from diplomacy_server.health import metrics, signs
from diplomacy_server.health.findings import Level, judge
from mailer import jobs
from mailer.inbound import store
from mailer.models import InboundMail, OutboundMail
from mailer.outbound.compose import compose
from tests.cast import DAY, NOW
from tests.conftest import JudgeMailbox
from tests.mailer.correspondence import JUDGE, receive

pytestmark = pytest.mark.django_db

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture(autouse=True)
def wanted(settings: Settings) -> None:
    settings.PROBE_SECONDS = 600
    settings.JUDGE_ADDRESS = JUDGE


def probes() -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(kind="probe").order_by("pk"))


def came_back(mail: OutboundMail, after: dt.timedelta) -> InboundMail:
    return receive(compose(mail), received_at=mail.created_at + after)


def about_round_trip(now: dt.datetime) -> tuple[Level, str]:
    (found,) = [one for one in judge(signs.take(now)) if one.about == "round-trip"]
    return found.level, found.sentence


def test_nothing_is_sent_unless_it_is_wanted(settings: Settings) -> None:
    settings.PROBE_SECONDS = 0
    assert not jobs.probe(NOW)
    assert not probes()
    assert signs.take(NOW).round_trip is None
    assert b"round_trip" not in metrics.text(signs.take(NOW))


def test_it_is_one_mail_however_many_machines_ask() -> None:
    assert jobs.probe(NOW)
    assert not jobs.probe(NOW)
    assert not jobs.probe(NOW + MINUTE)
    assert len(probes()) == 1
    assert jobs.probe(NOW + 10 * MINUTE)
    assert [mail.recipient for mail in probes()] == [JUDGE, JUDGE]


def test_one_that_comes_back_says_how_long_it_took_and_is_answered_by_nobody() -> None:
    jobs.probe(NOW)
    (mail,) = probes()
    came = came_back(mail, dt.timedelta(seconds=7))
    assert (came.state, came.bounce_of) == (InboundMail.State.IGNORED, mail)
    assert OutboundMail.objects.count() == 1
    level, said = about_round_trip(NOW + MINUTE)
    assert level is Level.FINE
    assert said == "The last mail to ourselves was back after 7 s."
    page = metrics.text(signs.take(NOW + MINUTE)).decode()
    assert "diplomacy_round_trip_seconds 7.0" in page
    assert "diplomacy_round_trip_missing_seconds 0.0" in page


def test_one_that_does_not_come_back_is_a_failure() -> None:
    jobs.probe(NOW)
    assert about_round_trip(NOW + 14 * MINUTE)[0] is Level.FINE
    level, said = about_round_trip(NOW + 16 * MINUTE)
    assert level is Level.FAILS
    assert "has not come back" in said
    page = metrics.text(signs.take(NOW + 16 * MINUTE)).decode()
    assert "diplomacy_round_trip_missing_seconds 960.0" in page
    assert "diplomacy_up 0.0" in page


def test_a_forged_one_proves_nothing() -> None:
    jobs.probe(NOW)
    (mail,) = probes()
    receive(compose(mail).replace(mail.message_id.encode(), b"<guessed@game.test>"))
    assert about_round_trip(NOW + 16 * MINUTE)[0] is Level.FAILS


def test_old_ones_are_forgotten() -> None:
    jobs.probe(NOW)
    came_back(probes()[0], MINUTE)
    jobs.probe(NOW + 8 * DAY)
    (mail,) = probes()
    assert mail.created_at == NOW + 8 * DAY
    assert not InboundMail.objects.exists()


def test_it_goes_by_the_relay_and_the_mailbox(
    judge_mailbox: JudgeMailbox, settings: Settings
) -> None:
    jobs.probe(NOW)
    jobs.outbox(NOW)
    jobs.poll(NOW + MINUTE)
    mailbox = store.mailbox_for(judge_mailbox.imap_url)
    assert mailbox.last_ok_poll == NOW + MINUTE
    jobs.process(NOW + MINUTE)
    assert InboundMail.objects.get().bounce_of == probes()[0]
