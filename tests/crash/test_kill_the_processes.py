"""The real poller and worker, killed again and again while players write."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

import pytest
from django.utils import timezone

from games.models import Event, OrderSet, Phase
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import OPENINGS, POWERS, Cast, address_of, make_cast
from tests.conftest import JudgeMailbox
from tests.flows.clients import mutt
from tests.flows.people import Person
from tests.flows.server import Processes, environment, eventually
from tests.servers import Redis

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(480)]

ROUNDS = 4
MAILS_A_ROUND = 7


def carry_on(server: Processes, names: tuple[str, ...], chance: random.Random) -> None:
    """Wait a moment that differs each time, kill, start again."""
    time.sleep(chance.uniform(0.2, 2.5))
    for name in names:
        server.kill(name)
    for name in names:
        server.start(name)


@pytest.mark.only_on("PostgreSQL")
def test_nothing_is_lost_or_doubled_while_poller_and_worker_are_killed(
    judge_mailbox: JudgeMailbox, redis_server: Redis, tmp_path: Path
) -> None:
    chance = random.Random(1901)
    cast = make_cast(now=timezone.now())
    env = environment(judge_mailbox, tmp_path, CELERY_BROKER_URL=redis_server.url)
    with Processes(env, tmp_path) as server:
        sent = []
        for number in range(ROUNDS):
            sent += write(cast, judge_mailbox, everybody=number == ROUNDS - 1)
            carry_on(server, ("poller", "worker") if number % 2 else ("worker",), chance)
            carry_on(server, ("poller",), chance)
        redis_server.empty()
        eventually(server, lambda: settled(len(sent)), "everything being done", 150)
        eventually(server, lambda: not judge_mailbox.mails(), "the INBOX being empty")

    assert (
        InboundMail.objects.count()
        == len(sent)
        == judge_mailbox.dovecot.count(judge_mailbox.address, "Processed")
    )
    each_mail_took_effect_once(sent)
    the_phase_was_processed_once()
    every_mail_arrived_at_least_once(judge_mailbox)


def write(cast: Cast, box: JudgeMailbox, *, everybody: bool) -> list[str]:
    """A set of orders of each player; only the last time is nobody's incomplete."""
    sent = []
    for name, power in POWERS.items():
        seat = cast.seat(power)
        to = addresses.seat_address(seat=seat, phase=cast.phase, now=timezone.now())
        person = Person(name, address_of(name), mutt, box.dovecot, box.smtp)
        lines = OPENINGS[power] if everybody else OPENINGS[power][:1]
        sent.append(person.write(to, "\n".join(lines)))
    assert len(sent) == MAILS_A_ROUND
    return sent


def settled(mails: int) -> bool:
    """Whether every mail is worked on, the phase processed and all mail sent."""
    done = InboundMail.objects.filter(state=InboundMail.State.DONE).count()
    unsent = OutboundMail.objects.exclude(state=OutboundMail.State.SENT)
    processed = Phase.objects.filter(status=Phase.Status.PROCESSED).exists()
    untold = Event.objects.filter(told_at=None).exists()
    return done == mails and processed and not untold and not unsent.exists()


def each_mail_took_effect_once(sent: list[str]) -> None:
    answers = Counter(
        OutboundMail.objects.filter(answers__isnull=False).values_list(
            "answers__message_id", flat=True
        )
    )
    assert answers == Counter(sent)
    sets = Counter(OrderSet.objects.values_list("mail__mail__message_id", flat=True))
    assert sets == Counter(sent)


def the_phase_was_processed_once() -> None:
    processed = Event.objects.filter(kind="phase_processed")
    assert [event.phase.name for event in processed if event.phase] == ["S1901M"]
    names = Phase.objects.order_by("number").values_list("name", flat=True)
    assert list(names) == ["S1901M", "F1901M"]
    results = OutboundMail.objects.filter(event__in=processed)
    assert results.count() == len(POWERS) + 1
    orders = Phase.objects.get(name="S1901M").orders
    assert orders == OPENINGS


def every_mail_arrived_at_least_once(box: JudgeMailbox) -> None:
    """Twice at most when a worker died between the 250 and the mark, never without a mark."""
    local, domain = box.address.split("@")
    ours = (mail for mail in box.smtp.accepted if mail.sender.startswith(f"{local}+bounce-"))
    arrived = Counter(mail.message_id for mail in ours if mail.sender.endswith(f"@{domain}"))
    sent = OutboundMail.objects.values_list("message_id", flat=True)
    assert set(arrived) == set(sent)
    assert max(arrived.values()) <= 2
