"""The machine on which the server runs: its clock is set wrong and right again, its database's disk
is full for a while, and it restarts.

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
from mailer.outbound import marks, pace
from tests.simulate.machinery.process import Turn
from tests.simulate.machinery.server import JOBS, Server

EVERY = 4 * 86400.0
"""How many seconds there are, on average, between two troubles of the machine."""
STEPS = (-3600.0, 3600.0, -90.0, 90.0)
"""By how many seconds the clock is wrong."""
SET_RIGHT = (5.0, 540.0)
"""When it is right again: before the server believes it, after ten minutes (docs/operators.md)."""
ASKED_FOR_AT = (1.0, 30.0, 60.0)
"""When the beat asks for every job afterwards; a real one asks every few seconds."""
AWAY_HOURS = (0.01, 0.05, 0.5, 3.0, 9.0)
"""How long a restart may take; the longest of them is for an upgrade that went wrong."""

REFUSED = (0.02, 0.3, 1.0)
"""Which share of changes finds no room on a full disk: a small one finds some for long."""
FULL_HOURS = (0.02, 0.3, 2.0)


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
        drawn = self.chance.random()
        if drawn < 0.4:
            self.set_clock(self.chance.choice(STEPS))
        elif drawn < 0.7:
            self.restart()
        else:
            self.fill_disk(self.chance.choice(REFUSED), self.chance.choice(FULL_HOURS))

    def set_clock(self, seconds: float) -> None:
        """Set the clock wrong; soon somebody sets it right."""
        self.server.clock.wrong_by = dt.timedelta(seconds=seconds)
        for after in ASKED_FOR_AT:
            self.server.agenda.after(after, lambda: self.server.nudge(*JOBS))
        self._end_after(self.chance.uniform(*SET_RIGHT), self._set_right)

    def restart(self) -> None:
        """Stop the server; somebody starts it again."""
        self.server.is_stopped = True
        self._end_after(self.chance.choice(AWAY_HOURS) * 3600, self._start)

    def fill_disk(self, share: float, hours: float) -> None:
        """Let this share of what workers change find no room; soon somebody makes some."""

        def is_refused(turn: Turn) -> bool:
            return turn.name in JOBS and self.chance.random() < share

        self.server.processes.is_refused = is_refused
        self._end_after(hours * 3600, self._make_room)

    def finish(self) -> None:
        """Have everything right again."""
        while self._to_end:
            self._to_end.pop()()

    def _end_after(self, seconds: float, end: Callable[[], None]) -> None:
        self._to_end.append(end)
        self.server.agenda.after(seconds, self.finish)

    def _make_room(self) -> None:
        self.server.processes.is_refused = lambda turn: False

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
    marks._left.clear()
    pace.forget()
