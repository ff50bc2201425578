"""A backup is made, the server breaks some time later, and goes back, as docs/operators.md says."""

from __future__ import annotations

import contextlib
import datetime as dt
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from tests.simulate.agenda import Agenda
from tests.simulate.machine import forget_what_processes_knew
from tests.simulate.moderator import Moderator
from tests.simulate.post import Mailbox
from tests.simulate.promises import Witness
from tests.simulate.server import Server

BREAKS = 0.4
"""The share of stormy seeds in which a backup has to be restored."""
WITHIN = 12.0
"""Days in which that happens: simulations that are short see it, too."""
BEFORE = dt.timedelta(days=1)
"""Mails are read again from so long before the backup: what had come and was not read yet is not
in it."""


@dataclass
class Backups:
    """One backup, and the day on which it is needed."""

    chance: random.Random
    agenda: Agenda
    server: Server
    mailbox: Mailbox
    moderator: Moderator
    witness: Witness
    restored: int = 0
    _at_hand: Callable[[], None] | None = None
    """What is still to be done while the server is away."""

    def plan(self) -> None:
        """Draw whether all is lost one day, and when the backup is made that is there then."""
        if self.chance.random() < BREAKS:
            self.agenda.after(self.chance.random() * WITHIN * 86400, self.make)

    def make(self) -> None:
        """Make a backup; draw when all is lost, and how long the server is away then."""
        kept = sqlite3.connect(":memory:")
        connection.connection.backup(kept)
        made_at = self.agenda.clock.now()
        breaks = self.chance.choice([0.02, 0.3, 1, 3]) * self.chance.random() * 86400
        self.agenda.after(breaks, lambda: self._break(kept, made_at))

    def _break(self, kept: sqlite3.Connection, made_at: dt.datetime) -> None:
        self.server.is_down = True
        self._at_hand = lambda: self._restore(kept, made_at)
        self.agenda.after(self.chance.uniform(0, 6) * 3600, self.finish)

    def finish(self) -> None:
        """Restore the backup and start the server again, if it is away."""
        if self._at_hand:
            self._at_hand()
        self._at_hand = None

    def _restore(self, kept: sqlite3.Connection, made_at: dt.datetime) -> None:
        erased = list(self.witness.oblivion.gone)
        self.witness.reply_addresses.before_restore()
        with contextlib.closing(kept):
            kept.backup(connection.connection)
        connection.connection.execute(NUMBERS_MOVE_ON)
        connection.connection.commit()
        forget_what_processes_knew()
        self.mailbox.move_back(since=made_at - BEFORE)
        self.witness.restored()
        self.moderator.erase_again(erased, self.agenda.clock.shown())
        self.server.is_down = False
        self.restored += 1


NUMBERS_MOVE_ON = "UPDATE sqlite_sequence SET seq = seq + 100000"
"""What docs/operators.md has the operator do."""
