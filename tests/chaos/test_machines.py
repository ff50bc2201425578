"""Two machines share the servers and nothing else; one loses its power, and the game goes on."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import Phase
from games.proofs.keys import list_beside, make_key
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import OPENINGS, POWERS, Cast, address_of, make_cast
from tests.chaos import count, gather
from tests.chaos.diary import Attempt
from tests.chaos.machines import Machine
from tests.chaos.world import JUDGE
from tests.conftest import JudgeMailbox
from tests.flows.clients import mutt
from tests.flows.people import Person
from tests.flows.server import database_url, environment
from tests.servers import Dovecot, Redis, Relay
from tests.servers.process import free_ports, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]

SEED = 1901
GM = "gm@players.test"
PLAYERS = tuple(map(address_of, POWERS))
MAILS = {"S1901M": 2 * len(POWERS), "F1901M": len(POWERS)}
"""How many mails the players write in each phase."""


@pytest.fixture
def mailbox(settings: Settings) -> Iterator[JudgeMailbox]:
    """Mailboxes in which nothing lies yet, the players' too."""
    with Dovecot() as dovecot:
        relay = Relay(dovecot.lmtp_port)
        relay.start()
        settings.JUDGE_ADDRESS = JUDGE
        yield JudgeMailbox(JUDGE, dovecot.url(JUDGE), dovecot, relay)
        relay.stop()


@pytest.fixture
def machines(mailbox: JudgeMailbox, redis_server: Redis, tmp_path: Path) -> Iterator[list[Machine]]:
    """Two of them, with the same secrets, about to start; none is left running."""
    env = environment(mailbox, tmp_path / "nobody", CELERY_BROKER_URL=redis_server.url)
    both = [
        Machine(number, tmp_path, env, port) for number, port in enumerate(free_ports(2), start=1)
    ]
    key = both[0].data / "receipts.key"
    make_key(key, now=timezone.now())
    for file in (key, list_beside(key)):
        shutil.copy(file, both[1].data)
    try:
        for machine in both:
            machine.start()
        yield both
    finally:
        for machine in both:
            machine.kill()


def write(cast: Cast, box: JudgeMailbox, times: int) -> list[Attempt]:
    """Everybody orders so often; only the last of each counts, and it is whole."""
    return [
        Attempt(send(cast, box, name, power, whole), address_of(name), "orders", "marne", 0, True)
        for whole in [False] * (times - 1) + [True]
        for name, power in POWERS.items()
    ]


def send(cast: Cast, box: JudgeMailbox, name: str, power: str, whole: bool) -> str:
    to = addresses.seat_address(seat=cast.seat(power), phase=cast.phase, now=timezone.now())
    person = Person(name, address_of(name), mutt, box.dovecot, box.smtp)
    lines = orders(cast.phase, power)
    return person.write(to, "\n".join(lines if whole else lines[:1]))


def orders(phase: Phase, power: str) -> list[str]:
    """Openings in spring; in autumn every unit holds where it went."""
    if phase.name == "S1901M":
        return OPENINGS[power]
    units = phase.position["units"]
    return [f"{unit} H" for unit in units[power]]


def phases() -> list[str]:
    return list(Phase.objects.order_by("number").values_list("name", flat=True))


def worked_on() -> int:
    return InboundMail.objects.exclude(state=InboundMail.State.NEW).count()


def all_is_done(mails: int, phase: str) -> bool:
    """Whether a phase is over, every mail answered and nothing left to tell or send."""
    if worked_on() < mails or phase in open_phases():
        return False
    with psycopg.connect(database_url()) as database:
        row = database.execute(gather.UNDONE.encode()).fetchone()
    return not any(row or ())


def open_phases() -> set[str]:
    return set(Phase.objects.filter(status=Phase.Status.OPEN).values_list("name", flat=True))


def let_a_minute_pass_for(leases: set[str]) -> None:
    """What the dead machine was sending is free a minute later; nobody has to wait for that."""
    gone = OutboundMail.objects.filter(leased_by__in=leases, state=OutboundMail.State.QUEUED)
    gone.update(leased_until=timezone.now())


def leases() -> set[str]:
    held = OutboundMail.objects.exclude(leased_by="").filter(state=OutboundMail.State.QUEUED)
    return set(held.values_list("leased_by", flat=True))


@pytest.mark.only_on("PostgreSQL")
def test_one_machine_dies_and_the_game_goes_on(
    mailbox: JudgeMailbox, machines: list[Machine], tmp_path: Path
) -> None:
    chance = random.Random(SEED)
    cast = make_cast(now=timezone.now())
    wait_until(lambda: both_work(machines), "work on both machines", 120)

    # One of them dies while it reads, works and sends, in the middle of a phase.
    sent = write(cast, mailbox, 2)
    some = chance.randint(2, len(sent) - 3)
    wait_until(lambda: worked_on() >= some, f"{some} mails worked on", 60)
    dead, alive = chance.sample(machines, 2)
    dead.kill()
    assert "S1901M" in open_phases() or worked_on() == len(sent)
    left = leases()
    time.sleep(1.0)
    let_a_minute_pass_for(left & leases())
    wait_until(lambda: all_is_done(len(sent), "S1901M"), "S1901M on one machine", 90)

    # The other one plays on alone.
    sent += write(cast, mailbox, 1)
    wait_until(lambda: all_is_done(len(sent), "F1901M"), "F1901M on one machine", 90)
    alive.stop()

    with psycopg.connect(database_url()) as database:
        facts = replace(
            gather.in_tables(database),
            attempts=sent,
            arrivals=list(gather.arrivals(mailbox.dovecot, (GM, *PLAYERS))),
            logs=dict(gather.logs(tmp_path)),
        )
    assert phases()[:2] == ["S1901M", "F1901M"]
    whose = count.Whose(judge=JUDGE, gm=GM, players=PLAYERS)
    broken = {one.what: one.faults for one in count.counts(facts, whose) if one.faults}
    assert not broken
    cases = {one.what: one.cases for one in count.counts(facts, whose)}
    assert cases["mails are done once, with one receipt"] == len(sent) == sum(MAILS.values())
    assert cases["phases were adjudicated once"] == len(MAILS)


def both_work(machines: list[Machine]) -> bool:
    """Whether both serve pages, which they begin with after the same start as all the rest."""
    return all(machine.serves() for machine in machines)
