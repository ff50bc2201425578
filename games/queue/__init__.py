"""The moderators' queue as their pages show it: one list, the oldest first, each with its acts."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User

from games.models import Player
from games.queries.moderators.cases import cares, done_lately
from games.queries.moderators.moderation import for_moderators
from games.queue.cases import cases_for
from games.queue.parts import Case

AT_ONCE = 40
"""How many cases a page shows, the oldest first, unless somebody asks for all."""


@dataclass(frozen=True, slots=True)
class Queue:
    """What needs a moderator, what rests, who is kept out at present, and what was done lately."""

    waiting: tuple[Case, ...]
    resting: tuple[Case, ...]
    barred: tuple[Player, ...]
    done: tuple[LogEntry, ...]
    everything: bool

    @property
    def shown(self) -> tuple[Case, ...]:
        """What a page shows of the waiting cases."""
        return self.waiting if self.everything else self.waiting[:AT_ONCE]

    @property
    def shows_addresses(self) -> bool:
        """Whether a case has an address in it."""
        return any("@" in fact for case in (*self.shown, *self.resting) for fact in case.facts)

    @property
    def kinds(self) -> list[tuple[str, int]]:
        """How many wait of each kind."""
        kinds = [case.kind for case in self.waiting]
        return [(kind, kinds.count(kind)) for kind in dict.fromkeys(kinds)]


def queue(user: User, now: dt.datetime, *, everything: bool = False) -> Queue:
    """Return the queue as this moderator may see it; its page may show `everything` of it."""
    found = for_moderators(now=now, viewer=user)
    cases = sorted(cases_for(user, found, now), key=lambda case: case.since)
    said = cares(case.key for case in cases)
    known = [replace(case, care=said.get(case.key)) for case in cases]
    return Queue(
        waiting=tuple(case for case in known if not case.rests(now)),
        resting=tuple(case for case in known if case.rests(now)),
        barred=found.barred,
        done=tuple(done_lately(now)),
        everything=everything,
    )
