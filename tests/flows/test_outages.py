"""A server that goes away at the worst moment delays the game; it costs nobody anything."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.utils import timezone

from games.models import Event, OrderSet, Phase
from mailer import jobs
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import OPENINGS, POWERS, Cast, address_of, lately, make_cast
from tests.conftest import JudgeMailbox
from tests.flows.clients import gmail
from tests.flows.people import Person
from tests.flows.server import Ticking, environment
from tests.servers.relay import Fault

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_one]

MINUTES = dt.timedelta(minutes=5)


@pytest.fixture
def cast(judge_mailbox: JudgeMailbox) -> Cast:
    """The game `marne`; nothing is queued any more."""
    cast = make_cast(now=lately())
    jobs.do_round(timezone.now())
    judge_mailbox.smtp.accepted.clear()
    return cast


def order(cast: Cast, box: JudgeMailbox, name: str, lines: list[str]) -> None:
    seat = cast.seat(POWERS[name])
    to = addresses.seat_address(seat=seat, phase=cast.phase, now=timezone.now())
    Person(name, address_of(name), gmail, box.dovecot, box.smtp).write(to, "\n".join(lines))


def everybody_orders(cast: Cast, box: JudgeMailbox) -> None:
    for name, power in POWERS.items():
        order(cast, box, name, OPENINGS[power])


def deadline_passes(cast: Cast) -> None:
    Phase.objects.filter(pk=cast.phase.pk).update(due_at=timezone.now())


def rounds(first: dt.datetime | None = None, count: int = 4) -> None:
    """Some rounds, a few minutes apart, so that every pause between two tries is over."""
    now = first or timezone.now()
    for number in range(count):
        jobs.do_round(now + number * MINUTES)


def test_mail_that_waits_in_a_dead_mailbox_is_in_time_when_it_comes_back(
    cast: Cast, judge_mailbox: JudgeMailbox
) -> None:
    order(cast, judge_mailbox, "Carla", OPENINGS["France"])
    deadline_passes(cast)
    judge_mailbox.dovecot.stop()
    try:
        rounds()
        assert [phase.name for phase in Phase.objects.all()] == ["S1901M"]
    finally:
        judge_mailbox.dovecot.start()

    rounds()

    orders = Phase.objects.get(name="S1901M").orders or {}
    assert orders["France"] == OPENINGS["France"]
    assert not OrderSet.objects.get().late


def test_results_wait_for_a_dead_mail_server_and_arrive_once(
    cast: Cast, judge_mailbox: JudgeMailbox
) -> None:
    everybody_orders(cast, judge_mailbox)
    judge_mailbox.smtp.stop()
    rounds()
    assert Phase.objects.get(name="S1901M").status == Phase.Status.PROCESSED
    assert OutboundMail.objects.filter(state=OutboundMail.State.QUEUED).exists()

    judge_mailbox.smtp.start()
    rounds(timezone.now() + dt.timedelta(hours=2))

    assert not OutboundMail.objects.exclude(state=OutboundMail.State.SENT).exists()
    arrived = Counter(mail.message_id for mail in judge_mailbox.smtp.accepted)
    ours = OutboundMail.objects.filter(answers__isnull=False) | OutboundMail.objects.filter(
        event__kind="phase_processed"
    )
    assert {mail.message_id: arrived[mail.message_id] for mail in ours} == dict.fromkeys(
        ours.values_list("message_id", flat=True), 1
    )


@pytest.mark.parametrize("fault", list(Fault), ids=lambda fault: fault.name.lower())
def test_one_mail_that_goes_wrong_holds_up_no_other(
    cast: Cast, judge_mailbox: JudgeMailbox, fault: Fault
) -> None:
    everybody_orders(cast, judge_mailbox)
    jobs.poll(timezone.now())
    jobs.process(timezone.now())
    queued = set(OutboundMail.objects.filter(state="queued").values_list("message_id", flat=True))
    judge_mailbox.smtp.faults.append(fault)

    rounds()

    failed = OutboundMail.objects.filter(state=OutboundMail.State.FAILED)
    arrived = Counter(mail.message_id for mail in judge_mailbox.smtp.accepted)
    times = Counter(arrived[message_id] for message_id in queued)
    expected = {
        Fault.TEMPFAIL: ({1: 7}, 0),
        Fault.REJECT: ({1: 6, 0: 1}, 1),
        Fault.LOST_250: ({1: 6, 2: 1}, 0),
    }
    assert (times, failed.count()) == expected[fault]


def test_a_mailbox_that_is_numbered_anew_brings_no_mail_twice(
    cast: Cast, judge_mailbox: JudgeMailbox
) -> None:
    order(cast, judge_mailbox, "Carla", OPENINGS["France"])
    jobs.poll(timezone.now())
    judge_mailbox.dovecot.renumber(judge_mailbox.address, 4711)

    rounds()

    assert InboundMail.objects.count() == OrderSet.objects.count() == 1
    assert judge_mailbox.mails() == []
    assert len(judge_mailbox.mails("Processed")) == 1


def test_three_ticks_at_once_do_everything_once(
    cast: Cast, judge_mailbox: JudgeMailbox, tmp_path: Path
) -> None:
    everybody_orders(cast, judge_mailbox)
    env = environment(judge_mailbox, tmp_path)
    with ThreadPoolExecutor(3) as together:
        for _ in range(3):
            list(together.map(Ticking.turn, [Ticking(env)] * 3))

    names = Phase.objects.order_by("number").values_list("name", flat=True)
    assert list(names) == ["S1901M", "F1901M"]
    assert Event.objects.filter(kind="phase_processed").count() == 1
    assert OrderSet.objects.count() == InboundMail.objects.count() == len(POWERS)
    assert len(judge_mailbox.mails("Processed")) == len(POWERS)
    sent = Counter(mail.message_id for mail in judge_mailbox.smtp.accepted)
    sent_by_us = OutboundMail.objects.filter(state="sent").values_list("message_id", flat=True)
    assert all(sent[message_id] <= 1 for message_id in sent_by_us)
