"""Reads the clock at the door, and watches it: a clock that jumps ends no phase.

A machine that starts with a wrong clock, or whose clock is set, shows a wrong time for a while.
Each process compares the wall clock with one that only ever runs forward; if their difference
suddenly changes, the wall clock has jumped.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import threading
import time
from pathlib import Path

from django.db import connection
from django.utils import timezone

from mailer.inbound import store, turns
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import leases, pace

logger = logging.getLogger(__name__)

APART = dt.timedelta(minutes=1)
"""How far this machine's clock may be from the database's. A phase is usually decided 120 seconds
(SETTLE_SECONDS) after its deadline, so nobody loses time by it."""

STEP = dt.timedelta(seconds=5)
"""A smaller step is no jump: clocks are set right by less all the time."""
_PROMPT = 1.0


class Watch:
    """What this process knows about its clocks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.offset: dt.timedelta | None = None
        """How far the wall clock was ahead of the other when last seen."""

    def now(self) -> dt.datetime:
        """Return the time; if the clock has jumped since the last call, note that first."""
        with self._lock:
            before = running()
            at = timezone.now()
            if running() - before > _PROMPT:
                return at  # we were stopped between the two readings, so we cannot compare them
            offset = at - EPOCH - dt.timedelta(seconds=before)
            step = dt.timedelta(0) if self.offset is None else offset - self.offset
            if abs(step) > STEP:
                store.note_step(step, now=at)
            if step < -STEP:
                let_nothing_wait(at)
            self.offset = offset
            return at


def now_in_rounds(file: Path) -> dt.datetime:
    """Return the time, in a process that lives for one round; the file is its memory of the round
    before.

    After a restart of the machine the file is useless, since both clocks restarted.
    """
    watch, boot = Watch(), _boot()
    with contextlib.suppress(OSError, ValueError):
        known, _, seconds = file.read_text().partition(" ")
        if boot and known == boot:
            watch.offset = dt.timedelta(seconds=float(seconds))
    at = watch.now()
    with contextlib.suppress(OSError):  # a full disk: what we do is in the database alone
        # By whoever may write into the folder, even if root once wrote the file: an old memory
        # would take each round for a new jump, and no deadline would ever count.
        file.unlink(missing_ok=True)
        file.write_text(f"{boot} {(watch.offset or dt.timedelta(0)).total_seconds()}")
    return at


def _boot() -> str:
    """Return what tells this start of the machine from others; "" if the machine does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def let_nothing_wait(now: dt.datetime) -> None:
    """After a step back, try at once everything that waits for a time by the old clock.

    Nobody keeps mails for longer than if they took them now.
    """
    queued = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED)
    queued.filter(not_before__gt=now).update(not_before=now)
    queued.filter(leased_until__gt=now + leases.LEASE).update(leased_until=now + leases.LEASE)
    undone = InboundMail.objects.filter(state__in=turns.UNDONE)
    undone.filter(working_since=None, retry_at__gt=now).update(retry_at=now)
    taken = undone.filter(working_since__isnull=False, retry_at__gt=now + turns.LEASE)
    taken.update(retry_at=now + turns.LEASE)
    pace.forget()


EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def running() -> float:
    """Return seconds on a clock that nobody sets, and that goes on while the machine sleeps."""
    clock: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # BOOTTIME is Linux's
    return time.clock_gettime(clock)


now = Watch().now


def is_right(at: dt.datetime) -> bool:
    """Whether `at`, the time by our clock, is also the time by the database's.

    Among several machines, one with a wrong clock must not decide that time is up, or date a mail.
    It leaves that to the others, and says so in the log. SQLite is on our own machine.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        apart = at - cursor.fetchone()[0]
    if abs(apart) <= APART:
        return True
    logger.error(
        "Our clock is %+.0f s from the database's: this machine reads no mail and ends no phase",
        apart / dt.timedelta(seconds=1),
    )
    return False
