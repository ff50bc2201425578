"""Mailboxes of people that are full for a while, or gone: the relay puts off what is for them, or
refuses it for good, and takes the mails of everybody else.

What is promised: whatever was refused is noted, so that those who run the games hear of it.
"""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass

from tests.simulate.agenda import Agenda
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.relay import Relay
from tests.simulate.players.writers import DOMAIN, NAMES
from tests.simulate.tables import HOUR

EVERY = 6 * 86400.0
"""How many seconds there are, on average, between two of them."""
HOURS = (1, 8, 20, 40)
"""For how long: a mail is given up after two days."""
GONE = 0.3
"""The share of them that are gone."""
NOTED_WITHIN = dt.timedelta(hours=24)
"""Longer than a server is away."""


@dataclass
class FullMailboxes:
    """One after the other."""

    chance: random.Random
    agenda: Agenda
    relay: Relay

    def plan(self) -> None:
        """Have one be full one day, and then another."""
        self.agenda.after(self.chance.expovariate(1 / EVERY), self._next)

    def fill(self, name: str, hours: float, *, is_gone: bool = False) -> None:
        """Have somebody's mailbox be full, or gone, for so long."""
        address = f"{name.lower()}@{DOMAIN}"
        self.relay.full_until[address] = self.agenda.clock.now() + HOUR * hours
        (self.relay.gone.add if is_gone else self.relay.gone.discard)(address)

    def finish(self) -> None:
        """Have room in all of them again."""
        self.relay.full_until.clear()

    def _next(self) -> None:
        self.plan()
        is_gone = self.chance.random() < GONE
        self.fill(self.chance.choice(NAMES), self.chance.choice(HOURS), is_gone=is_gone)


def look(seen: Evidence) -> None:
    """Check that each mail that was refused for good is noted in time. Raises Broken."""
    before = (seen.now() - NOTED_WITHIN).replace(tzinfo=None).isoformat(sep=" ")
    query = """select subject, recipient, not_before from mailer_outboundmail
                where state = 'failed' and last_error like '550 %' and bounced_at is null
                  and not_before < ?"""
    for mail in seen.rows(query, before):
        what = f"{mail['subject']!r} to {mail['recipient']}"
        raise Broken(f"{what} was refused at {mail['not_before']}, and nobody has noted it")
