"""What stands where the real clock, servers and chance are, while a seed is simulated."""

from __future__ import annotations

import contextlib
import datetime as dt
import random
import secrets
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from unittest import mock

from django.db import connection

from games.services.setup.games import _CHANCE
from mailer.inbound import timekeeping
from mailer.models import OutboundMail
from mailer.outbound import keeping, leases
from tests.simulate.checks import journal
from tests.simulate.machinery.clock import Clock
from tests.simulate.machinery.easel import Easel
from tests.simulate.machinery.post import Mailbox, Weather
from tests.simulate.machinery.process import Keeper, Processes
from tests.simulate.machinery.relay import Relay


@dataclass
class Surroundings:
    """What a server meets: all of it simulated."""

    seed: int
    clock: Clock
    processes: Processes
    mailbox: Mailbox
    relay: Relay
    weather: Weather


@contextlib.contextmanager
def standing_in(around: Surroundings) -> Iterator[None]:
    """Put the simulated clock, servers and chance in the places of the real ones."""
    drawn = random.Random(f"{around.seed}/secrets")
    bits = drawn.getrandbits

    def uuid4() -> uuid.UUID:
        return uuid.UUID(int=bits(128), version=4)

    easel = Easel(around.weather, around.processes)
    with contextlib.ExitStack() as stack:
        for where, what in {
            "django.utils.timezone.now": around.clock.shown,
            "mailer.inbound.timekeeping.running": around.clock.monotonic,
            "mailer.inbound.timekeeping.now": watch_of_all().now,
            "mailer.jobs.time": around.clock,
            "mailer.inbound.processing.time": around.clock,
            "mailer.inbound.fetching.time": around.clock,
            "mailer.outbound.sending.time": around.clock,
            "mailer.outbound.marks.time": around.clock,
            "mailer.outbound.leases.time": around.clock,
            "mailer.outbound.sending.keep_lease": partial(_renewed, around),
            "mailer.inbound.imap.Client": around.mailbox.connect,
            "smtplib.SMTP._get_socket": around.relay.socket,
            "games.queries.reports.drawing.DRAWING.draw": easel.draw,
            "logging.Logger.exception": journal.exception,
            "logging.Logger.warning": journal.warning,
        }.items():
            stack.enter_context(mock.patch(where, what))
        stack.enter_context(mock.patch.object(uuid, "uuid4", uuid4))
        for seats in ("random", "getrandbits"):
            stack.enter_context(mock.patch.object(_CHANCE, seats, getattr(drawn, seats)))
        stack.enter_context(mock.patch.object(secrets, "choice", drawn.choice))
        stack.enter_context(
            mock.patch.object(secrets, "token_hex", lambda n=32: f"{bits(8 * n):0{2 * n}x}")
        )
        around.processes.watch()
        yield


def watch_of_all() -> timekeeping.Watch:
    """Return what all workers know about the clock.

    One that comes while another notes a jump notes it, too, as in a process of its own: it runs
    within the other, so if it waited for it, both would wait for ever.
    """
    watch = timekeeping.Watch()
    setattr(watch, "_lock", threading.RLock())  # noqa: B010
    return watch


@contextlib.contextmanager
def _renewed(
    around: Surroundings,
    batch: Sequence[OutboundMail],
    lease: leases.Begun,
    *,
    each_second: Callable[[], None],
) -> Iterator[None]:
    """Renew a lease, and see to marks, as the thread does that a worker has for it."""
    every, turn = keeping.RENEW_SECONDS, around.processes.turn
    assert turn, "only workers send"

    def renew() -> None:
        passed = dt.timedelta(seconds=around.clock.monotonic() - lease.monotonic)
        leases.prolong(batch[0].leased_by, now=lease.at + passed)

    second, taken = keeping.WATCH_SECONDS, lease.monotonic
    keepers = [Keeper(renew, every, taken + every), Keeper(each_second, second, taken + second)]
    turn.keepers += keepers
    try:
        yield
    finally:
        for keeper in keepers:
            turn.keepers.remove(keeper)


def fresh_database(template: str) -> None:
    """Give this process a database of its own in memory, migrated."""
    connection.close()
    connection.ensure_connection()
    with contextlib.closing(sqlite3.connect(template)) as kept:
        kept.backup(connection.connection)
