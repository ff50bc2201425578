"""A backup is made, the server breaks some time later, and goes back, as docs/operators.md says."""

from __future__ import annotations

import contextlib
import datetime as dt
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from diplomacy_server import after_restore
from games.errors import WrongState
from tests.simulate.agenda import Agenda
from tests.simulate.checks.promises import Witness
from tests.simulate.machinery.machine import forget_what_processes_knew
from tests.simulate.machinery.server import Server
from tests.simulate.staff.moderator import Moderator

BREAKS = 0.4
"""The share of stormy seeds in which a backup has to be restored."""
WITHIN = 12.0
"""Days in which that happens: simulations that are short see it, too."""
DONE = "has already been run, all is done"
"""What `after_restore` says whose work is done, also where it was killed right after that."""
AGAIN = 600.0
"""So many seconds later the operator runs it again that could not reach the mailbox."""


@dataclass
class Backups:
    """One backup, and the day on which it is needed."""

    chance: random.Random
    agenda: Agenda
    server: Server
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
        broke_at = self.agenda.clock.shown()
        self._at_hand = lambda: self._restore(kept, made_at, broke_at)
        self.agenda.after(self.chance.uniform(0, 6) * 3600, self.finish)

    def finish(self) -> None:
        """Restore the backup and start the server again, if it is away."""
        if self._at_hand:
            self._at_hand()
        self._at_hand = None

    def _restore(
        self, kept: sqlite3.Connection, made_at: dt.datetime, broke_at: dt.datetime
    ) -> None:
        erased = list(self.witness.oblivion.gone)
        self.witness.reply_addresses.before_restore()
        with contextlib.closing(kept):
            kept.backup(connection.connection)
        forget_what_processes_knew()
        self.witness.restored()
        while not self._is_caught_up(broke_at):
            self.agenda.clock.sleep(AGAIN)
        self.witness.restores.caught_up(made_at, broke_at)
        self.moderator.erase_again(erased, self.agenda.clock.shown())
        self.server.is_down = False
        self.restored += 1

    def _is_caught_up(self, broke_at: dt.datetime) -> bool:
        """Run `manage.py after_restore`, which may be killed; say whether all is done."""
        done = []

        def run() -> None:
            try:
                after_restore.catch_up(broke_at=broke_at, now=self.agenda.clock.shown())
                done.append(True)
            except WrongState as error:
                done.append(DONE in str(error))

        self.server.processes.run("after_restore", run)
        return any(done)
