"""The machine on which the server runs: its clock is set wrong and right again, and it restarts.

People, the mailbox and the relay have clocks of their own, which are right.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache

from mailer.inbound import retries
from mailer.outbound import pace
from tests.simulate.server import DUTIES, Server

EVERY = 4 * 86400.0
"""How many seconds there are, on average, between two troubles of the machine."""
STEPS = (-3600.0, 3600.0, -90.0, 90.0)
"""By how many seconds the clock is wrong."""
SET_RIGHT = (5.0, 540.0)
"""When it is right again: before the server believes it, after ten minutes (docs/operators.md)."""
ASKED_FOR_AT = (1.0, 30.0, 60.0)
"""When the beat asks for every duty afterwards; a real one asks every few seconds."""
AWAY_HOURS = (0.01, 0.05, 0.5, 3.0, 9.0)
"""How long a restart may take; the longest of them is for an upgrade that went wrong."""


@dataclass
class Machine:
    """One trouble after another; with each of them the server goes on."""

    chance: random.Random
    server: Server
    _to_end: list[Callable[[], None]] = field(default_factory=list)

    def plan(self) -> None:
        """Have something happen to the machine one day, and then again."""
        self.server.agenda.after(self.chance.expovariate(1 / EVERY), self._trouble)

    def _trouble(self) -> None:
        self.plan()
        if self._to_end:
            return
        if self.chance.random() < 0.5:
            self.set_clock(self.chance.choice(STEPS))
        else:
            self.restart()

    def set_clock(self, seconds: float) -> None:
        """Set the clock wrong; soon somebody sets it right."""
        self.server.clock.wrong_by = dt.timedelta(seconds=seconds)
        for after in ASKED_FOR_AT:
            self.server.agenda.after(after, lambda: self.server.nudge(*DUTIES))
        self._end_after(self.chance.uniform(*SET_RIGHT), self._set_right)

    def restart(self) -> None:
        """Stop the server; somebody starts it again."""
        self.server.is_stopped = True
        self._end_after(self.chance.choice(AWAY_HOURS) * 3600, self._start)

    def finish(self) -> None:
        """Have everything right again."""
        while self._to_end:
            self._to_end.pop()()

    def _end_after(self, seconds: float, end: Callable[[], None]) -> None:
        self._to_end.append(end)
        self.server.agenda.after(seconds, self.finish)

    def _set_right(self) -> None:
        self.server.clock.wrong_by = dt.timedelta(0)

    def _start(self) -> None:
        self.server.is_stopped = False
        forget_what_processes_knew()


def forget_what_processes_knew() -> None:
    """Begin again with what the database says."""
    cache.clear()
    ContentType.objects.clear_cache()
    retries._acquittals.clear()
    pace.forget()
