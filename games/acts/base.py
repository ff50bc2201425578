"""The base of every act: something that a GM does to a game, or a moderator does about a player.

An act has a name. It says what it has to be told (a frozen dataclass), who may do it, when it can
be done and what it would do; and it does it. The admin's pages, the commands of a GM's mail and
manage.py are its faces: they turn what somebody typed into the dataclass, and show the result.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import datetime as dt
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar

from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction

from games.acts.parameters import parameters_of
from games.errors import GameError, NotAllowed, WrongState
from games.models import Game, Player
from games.queries.access.staff_names import OPERATOR, Actor
from games.queries.reports.pictures import Trial
from games.services.common import lock_players
from games.services.secrets_in_text import without_secrets

Subject = TypeVar("Subject", Game, Player)
P = TypeVar("P")
Result = TypeVar("Result")


class Part(NamedTuple):
    """A part of what there is to see once an act is done."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """What was done."""

    said: str
    """What was done, in a sentence."""
    gone: bool = dataclasses.field(default=False, kw_only=True)
    """The subject of the act no longer exists, or is no longer theirs to see."""
    shown: tuple[Part, ...] = ()
    trial: Trial | None = None
    """What can be drawn of what was shown."""


class Act(abc.ABC, Generic[Subject, P]):
    """An act on a game or about a player, with parameters of type P. It keeps no state."""

    name: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    parameters: type[P]
    grave: ClassVar[bool] = False
    """It cannot be undone: somebody who does it on a page has to type the subject's name."""
    harsh: ClassVar[bool] = False
    """It takes much from somebody, though it can be undone."""
    undo: ClassVar[str] = ""
    """How to take it back, or that nothing can; pages show it beside the forecast. An act that is
    `grave` does not need it: its page has the subject's name typed."""
    instead: ClassVar[Sequence[str]] = ()
    """The names of acts that help somebody on who cannot do this one now: they bring what it lacks,
    or do what was wanted. Pages offer those that can be done."""
    stale: ClassVar[str]
    """What we say instead of doing it, if the subject has changed since somebody looked."""

    @abc.abstractmethod
    def refusal(self, user: User, subject: Subject, now: dt.datetime) -> str:
        """Return why the user may not do this, "" if they may."""

    @abc.abstractmethod
    def why_not(self, subject: Subject, now: dt.datetime) -> str:
        """Return why this cannot be done now, "" if it can."""

    def way_on(self, subject: Subject) -> Sequence[str]:
        """Return `instead`, as the subject stands now."""
        return self.instead

    @abc.abstractmethod
    def stamp(self, subject: Subject) -> str:
        """Return a digest of everything that a forecast depends on."""

    def stamp_with(self, subject: Subject, given: P) -> str:
        """Return `stamp`, with whatever else the forecast depends on for these parameters."""
        return self.stamp(subject)

    @abc.abstractmethod
    def lock(self, subject: Subject) -> Subject:
        """Return the row, fresh from the database and locked until the transaction ends."""

    def seated(self, subject: Subject, given: P) -> Iterable[Player]:
        """Return the players to whom it gives a seat or a place. Raises GameError."""
        return ()

    def _lock_all(self, subject: Subject, given: P) -> Subject:
        """Lock the players whom it seats, and then the subject. Everything that gives somebody a
        seat locks in this order (`common.lock_player`), so that no two of them wait for each
        other."""
        with contextlib.suppress(GameError):  # doing the act raises it again
            self.lock_first(subject, given)
        return self.lock(subject)

    def lock_first(self, subject: Subject, given: P) -> None:
        """Lock what comes before the subject in the order of locks. Raises GameError."""
        lock_players(self.seated(subject, given))

    def undo_of(self, subject: Subject) -> str:
        """Return how to take it back, as the subject stands now."""
        return self.undo

    def done_to(self, subject: Subject) -> str:
        """Return the name of what it is done to, for titles."""
        return subject.name

    @abc.abstractmethod
    def forecast(self, subject: Subject, given: P, now: dt.datetime) -> Sequence[str]:
        """Say, in sentences, what will happen to whom."""

    @abc.abstractmethod
    def actor(self, user: User, subject: Subject, now: dt.datetime) -> Actor:
        """Return who does this, under the name that readers will see."""

    @abc.abstractmethod
    def do(self, subject: Subject, given: P, *, by: Actor, now: dt.datetime) -> Done:
        """Do it through the services, which record who did. Raises GameError."""

    @property
    def is_dangerous(self) -> bool:
        """Whether its buttons are red."""
        return self.grave or self.harsh

    def require(self, user: User, subject: Subject, now: dt.datetime) -> None:
        """Raise NotAllowed if the user may not do this, WrongState if it cannot be done now."""
        if refusal := self.refusal(user, subject, now):
            raise NotAllowed(refusal)
        if why_not := self.why_not(subject, now):
            raise WrongState(why_not)

    def check(self, given: P) -> None:
        """Raise BadInput for a parameter that is missing or too long."""
        for one in parameters_of(self.parameters):
            one.check(getattr(given, one.name))

    def without_secrets(self, given: P) -> P:
        """Return the parameters without the secrets of reply addresses in what somebody typed."""
        texts = {one.name: getattr(given, one.name) for one in parameters_of(self.parameters)}
        clean = {name: without_secrets(it) for name, it in texts.items() if isinstance(it, str)}
        return dataclasses.replace(given, **clean) if clean else given  # type: ignore[type-var]

    def foresee(
        self, subject: Subject, given: P, *, by: User | None, now: dt.datetime
    ) -> list[str]:
        """Say what will happen, after a rehearsal has shown that it can; change nothing. `by` is
        who would do it, None for whoever has the server's shell.

        The subject stays locked from before the rehearsal to the end of the transaction. Otherwise
        others could take, before the forecast, what only the rehearsal had locked. Raises
        GameError.
        """
        given = self.without_secrets(given)

        @transaction.atomic
        def foreseen() -> list[str]:
            subject_now = self._lock_all(subject, given)
            with transaction.atomic():
                self.perform(subject_now, given, by=by, now=now)
                transaction.set_rollback(True)
            subject.refresh_from_db()
            return list(self.forecast(subject, given, now))

        return do_despite_deadlocks(foreseen)

    def perform(
        self,
        subject: Subject,
        given: P,
        *,
        by: User | None,
        now: dt.datetime,
        expected: str | None = None,
    ) -> Done:
        """Do it, unless the subject's stamp is no longer `expected`, the one that it had when
        somebody foresaw the act. `by` is who does it, None for whoever has the server's shell:
        readers see their name, and the staff's log notes the account. Raises GameError, and
        WrongState when the stamp has changed."""
        given = self.without_secrets(given)

        @transaction.atomic
        def done() -> Done:
            subject_now = self._lock_all(subject, given)
            if expected is not None and self.stamp_with(subject_now, given) != expected:
                raise WrongState(self.stale)
            self.check(given)
            actor = self.actor(by, subject_now, now) if by else OPERATOR
            return self.do(subject_now, given, by=actor, now=now)

        return do_despite_deadlocks(done)


DEADLOCK = "40P01"
PAUSES = (0.05, 0.2, 0.5, 1.0)
"""Seconds to wait before each new attempt, after PostgreSQL has undone one.

Meanwhile the others take what they waited for. An attempt made at once might get there before them,
and be undone again.
"""


def do_despite_deadlocks(do: Callable[[], Result]) -> Result:
    """Do something in a transaction, and try again, a few times, if PostgreSQL undoes it to end a
    deadlock.

    Inside a larger transaction, try only once.
    """
    for pause in PAUSES:
        try:
            return do()
        except OperationalError as error:
            if connection.in_atomic_block or getattr(error.__cause__, "sqlstate", "") != DEADLOCK:
                raise
            time.sleep(pause)
    return do()
