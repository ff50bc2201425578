"""Mailboxes of people that are full for a while: the relay puts off what is for them, and takes the
mails of everybody else."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.simulate.agenda import Agenda
from tests.simulate.relay import Relay
from tests.simulate.tables import HOUR
from tests.simulate.writers import DOMAIN, NAMES

EVERY = 6 * 86400.0
"""How many seconds there are, on average, between two of them."""
HOURS = (1, 8, 20, 40)
"""For how long: a mail is given up after two days."""


@dataclass
class FullMailboxes:
    """One after the other."""

    chance: random.Random
    agenda: Agenda
    relay: Relay

    def plan(self) -> None:
        """Have one be full one day, and then another."""
        self.agenda.after(self.chance.expovariate(1 / EVERY), self._next)

    def fill(self, name: str, hours: float) -> None:
        """Have somebody's mailbox be full for so long."""
        self.relay.full_until[f"{name.lower()}@{DOMAIN}"] = self.agenda.clock.now() + HOUR * hours

    def finish(self) -> None:
        """Have room in all of them again."""
        self.relay.full_until.clear()

    def _next(self) -> None:
        self.plan()
        self.fill(self.chance.choice(NAMES), self.chance.choice(HOURS))
