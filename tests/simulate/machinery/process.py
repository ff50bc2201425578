"""Workers that die: at any statement, at any commit, at any command to a server.

A death is an exception that nothing in the code catches. From then on the dead worker reaches
nothing: every statement and command of it raises again, and only what the database does by itself,
rolling back, still happens. While a worker holds no transaction another may run in its place, as
two do on two machines; with one SQLite connection every order in which their transactions can
follow each other can come about, and nothing else can.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import OperationalError, connection

from mailer.inbound import retries
from mailer.outbound import marks
from tests.simulate.machinery.clock import Clock

DEADLY = 0.06
"""The share of workers' turns that end in a death, if the turn is long enough."""
LONGEST_LIFE = 120
"""Steps; the step at which a doomed worker dies is drawn below it."""
INTERRUPTED = 0.004
"""How often another worker runs between two steps."""
HELD_UP = 0.0004
"""How often a worker is held up between two steps for a minute or two, while others run."""
STOPPED = 0.5
"""The share of these times in which its whole process stands still, and renews nothing."""
STRIDE, OTHERS = 5.0, 4
CLEARING_UP = ("ROLLBACK", "RELEASE")
WRITING = ("INSERT", "UPDATE", "DELETE")


class Crash(BaseException):
    """The process is dead. Not an Exception: nobody who expects errors expects this."""


class DiskFull(OperationalError):
    """The database has no room for a change. Unlike a death, the code under test may catch it."""

    def __init__(self) -> None:
        super().__init__("the database's disk is full")


@dataclass
class Keeper:
    """What a thread of a worker does every so many seconds: it renews a lease, or writes marks."""

    renew: Callable[[], None]
    every: float
    next_at: float


@dataclass
class Turn:
    """One turn of one worker."""

    name: str
    number: int
    life: int
    dead: bool = False
    stands_still: bool = False
    keepers: list[Keeper] = field(default_factory=list)


class Processes:
    """All workers of one simulation; `meanwhile` is what another one does between two steps."""

    def __init__(self, chance: random.Random, clock: Clock, *, stormy: bool) -> None:
        self._chance = chance
        self._clock = clock
        self._renews = False
        self.stormy = stormy
        self.turns: list[Turn] = []
        self.begun = 0
        self.deaths = 0
        self.steps = 0
        self.died_in: set[int] = set()
        self.stops_of: dict[int, list[dt.datetime]] = {}
        self.meanwhile: Callable[[], object] = lambda: None
        self.is_refused: Callable[[Turn], bool] = lambda turn: False
        """Whether the database has no room for what a turn would change."""
        self.intruders: dict[str, Callable[[], object]] = {}
        """By a job, what somebody else does right before its next transaction begins."""

    @property
    def turn(self) -> Turn | None:
        """The turn that is going on, the innermost one."""
        return self.turns[-1] if self.turns else None

    def run(self, name: str, job: Callable[[], object]) -> bool:
        """Let a worker do a job; False when it died over it, and what it remembered is gone, or
        when there was no room for what it did."""
        self.begun += 1
        doomed = self.stormy and self._chance.random() < DEADLY
        life = self._chance.randrange(1, LONGEST_LIFE) if doomed else 0
        turn = Turn(name, self.begun, life)
        self.turns.append(turn)
        try:
            job()
        except Crash:
            self.deaths += 1
            self.died_in.add(turn.number)
            retries._acquittals.clear()
            marks._left.clear()
        except DiskFull:
            return False
        finally:
            self.turns.pop()
        return not turn.dead

    def find_room(self) -> None:
        """Let a change be refused, if there is no room for it."""
        if self.turn and self.is_refused(self.turn):
            raise DiskFull

    def step(self, *, interrupted: bool = True) -> None:
        """Something is done whose effect could be lost or doubled: here a worker may die, and
        unless a statement's rows are still to be fetched, another may come between."""
        turn = self.turn
        if turn is None:
            return
        self.steps += 1
        if turn.dead:
            raise Crash
        if turn.life:
            turn.life -= 1
            if not turn.life:
                turn.dead = True
                raise Crash
        if interrupted:
            self._renew_leases()
            self._interrupt()

    def _interrupt(self) -> None:
        if not self.stormy or len(self.turns) > 1 or _holds_transaction():
            return
        drawn = self._chance.random()
        if drawn < INTERRUPTED:
            self.meanwhile()
        elif drawn > 1 - HELD_UP:
            self.hold_up(self._chance.uniform(20, 150), stops=self._chance.random() < STOPPED)

    def _let_in(self) -> None:
        """Let somebody do what they lie in wait to do, before the only worker's transaction."""
        if len(self.turns) == 1 and (intrude := self.intruders.pop(self.turns[0].name, None)):
            intrude()

    def hold_up(self, seconds: float, *, stops: bool = False) -> None:
        """Let time pass over what a worker does, and others run; it `stops` or is only slow. Where
        what renews its leases is held up, nothing renews them, as if it had stopped."""
        turn = self.turn
        assert turn, "somebody works"
        stops = stops or self._renews
        turn.stands_still = stops
        if stops:
            self.stops_of.setdefault(turn.number, []).append(self._clock.now())
        for _ in range(int(seconds / STRIDE)):
            self._clock.sleep(STRIDE)
            self._renew_leases()
        if len(self.turns) == 1:
            for _ in range(OTHERS):
                self.meanwhile()
        turn.stands_still = False

    def _renew_leases(self) -> None:
        """Let the threads run that renew leases, as they do in a process that is alive."""
        if self._renews or _holds_transaction():
            return
        self._renews = True
        try:
            for turn in self.turns:
                for keeper in turn.keepers:
                    if not (turn.dead or turn.stands_still):
                        self._renew_in_time(keeper)
        finally:
            self._renews = False

    def _renew_in_time(self, keeper: Keeper) -> None:
        if self._clock.monotonic() >= keeper.next_at:
            keeper.next_at = self._clock.monotonic() + keeper.every
            keeper.renew()

    def watch(self) -> None:
        """Count every statement and every commit of this process's connection."""
        connection.ensure_connection()
        connection.execute_wrappers.append(self._statement)
        commit: Callable[[], None] = getattr(connection, "_commit")  # noqa: B009

        def watched() -> None:
            try:
                self.step()
                self.find_room()
            except (Crash, DiskFull):
                connection.connection.rollback()  # else leaving the block would commit after all
                raise
            commit()
            self.step()

        setattr(connection, "_commit", watched)  # noqa: B010

    def _statement(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if sql.startswith(CLEARING_UP):
            return execute(sql, params, many, context)
        self.step()
        if sql.startswith("BEGIN"):
            self._let_in()
        if sql.startswith(WRITING):
            self.find_room()
        done = execute(sql, params, many, context)
        if not sql.startswith(("SELECT", "BEGIN", "SAVEPOINT")):
            self.step(interrupted=False)
        return done


def _holds_transaction() -> bool:
    """Whether a transaction is open: up to its commit and past it, until Django says that it is
    over. What another does within would be part of it."""
    return connection.in_atomic_block or not connection.autocommit
