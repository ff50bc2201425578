"""Decides whose mail is next, and lets a worker take mails for itself.

Senders take turns: one mail of each, then the next of each, so that a thousand mails of one delay
nobody else's. A worker takes several mails at once, says so, and has them for half a minute.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import BooleanField, F, Func, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from games.models.prepared import TIME, Given, Query, Update
from mailer.models import InboundMail

LEASE = dt.timedelta(seconds=30)
"""How long a worker has a mail to itself; after that, others take up a dead worker's mails."""
LONGEST = LEASE.total_seconds() / 3
"""Seconds of processor time for a mail by itself; after that we set it aside. An ordinary one takes
0.005."""
LONGEST_TOGETHER = 1.0
"""Seconds of processor time for a mail among others, whose games nobody else can have meanwhile,
and for a mail after many slow ones (retries.py)."""
BEGUN_WITHIN = LEASE.total_seconds() / 3
"""For how many seconds after taking mails a worker begins another of them. Then it gives the rest
back, since others would take them for a dead worker's."""
LOOKED_AT = 40
"""How many mails a worker finds with one look."""
TOGETHER = 20
"""How many mails a worker takes at once. Two workers can share a turn, and no game is locked for
much longer than a tenth of a second. With ten, a mail takes a tenth more time, and a fifth more
with eight workers on mails of the same games."""
_KEYS = [f"mail{number}" for number in range(LOOKED_AT)]
State = InboundMail.State
UNDONE = (State.NEW, State.LATER)
"""The states of mails that are still to be worked on."""


def waiting(now: dt.datetime | Given) -> QuerySet[InboundMail]:
    """The mails that can be worked on now."""
    # One part for each state, like the indexes; otherwise this would search every mail that ever
    # came.
    due = Q(retry_at=None) | Q(retry_at__lte=now)
    return InboundMail.objects.filter(
        Q(due, state=State.NEW) | Q(retry_at__lte=now, state=State.LATER)
    )


def next_turn(now: dt.datetime) -> list[int]:
    """The ids of the next mail of each sender, the earliest first; LOOKED_AT at most.

    A sender waits while we work on one of their mails, so that their mails take effect, and get
    their answers, in the order in which they came.
    """
    return [mail.pk for mail in _NEXT_TURN.all(now=now)]


def take(*, mail_id: int, now: dt.datetime) -> bytes | None:
    """Take a mail and return it as it came; None if it is not its turn, or somebody has it."""
    raw = _TAKE.first(mail=mail_id, now=now, until=now + LEASE)
    return None if raw is None else bytes(raw)


def take_first(mails: Sequence[int], *, now: dt.datetime) -> list[tuple[int, bytes]]:
    """Take the first TOGETHER of these mails that nobody has; return the id and the mail of each,
    in the given order.

    Returns nothing if others have, or had, them all: nobody walks past mails that others do. Takes
    at most LOOKED_AT mails.
    """
    found = dict(_TAKE_FIRST.rows(now=now, until=now + LEASE, **_keys_of(mails)))
    return [(pk, bytes(found[pk])) for pk in mails if pk in found]


def give_back(mails: Sequence[int], *, taken_at: dt.datetime) -> None:
    """Let others have these of the mails that were taken at this time."""
    ours = InboundMail.objects.filter(pk__in=mails, state__in=UNDONE, working_since=taken_at)
    ours.update(working_since=None, retry_at=taken_at)


def waits(*, mail_id: int, now: dt.datetime) -> bool:
    """Whether somebody still has to work on a mail: the worker that has it may have died."""
    return bool(_WAITS.all(mail=mail_id, now=now))


def left_by_the_dead(mails: Sequence[int], *, now: dt.datetime) -> list[int]:
    """The mails among these whose workers died over them."""
    return [mail.pk for mail in _LEFT.all(now=now, **_keys_of(mails))]


def _keys_of(mails: Sequence[int]) -> dict[str, int]:
    padded = [*mails, *[mails[0]] * (LOOKED_AT - len(mails))]
    return dict(zip(_KEYS, padded, strict=True))


def _next_turn() -> QuerySet[InboundMail]:
    now = Given("now", TIME)
    taken = Q(working_since__isnull=False, retry_at__gt=now)
    at_work = InboundMail.objects.filter(Q(taken, state=State.NEW) | Q(taken, state=State.LATER))
    free = waiting(now).exclude(sender__in=at_work.order_by().values("sender"))
    order = [F("received_at").asc(), F("id").asc()]
    number = Window(RowNumber(), partition_by=F("sender"), order_by=order)
    first = free.annotate(number=number).filter(number=1).order_by("received_at", "id")
    return first.only("pk")[:LOOKED_AT]


def _given_mails() -> QuerySet[InboundMail]:
    """The given mails that are to be worked on now, in order."""
    # Unlike `waiting`, this does not read the index of everything that waits, which is long in a
    # backlog: it goes by the keys alone.
    keys: Any = [Given(name) for name in _KEYS]
    due = Q(retry_at__lte=Given("now", TIME)) | Q(retry_at=None, state=State.NEW)
    mails = InboundMail.objects.filter(due, pk__in=keys, state__in=UNDONE)
    return mails.order_by("received_at", "id")


def _first_free() -> QuerySet[InboundMail]:
    """The first that nobody has.

    PostgreSQL skips those that others are taking at this moment; SQLite has only one writer at a
    time.
    """
    free = _given_mails().filter(working_since=None).select_for_update(skip_locked=True)
    return InboundMail.objects.filter(FoundOnce(F("pk"), Subquery(free.values("pk")[:TOGETHER])))


class FoundOnce(Func):
    """Whether the first is among the rows of the second, a subquery with a limit.

    As part of a join, PostgreSQL may run the subquery once for each row, find others each time, and
    go beyond the limit.
    """

    arity = 2
    template = "%(expressions)s"
    arg_joiner = " IN "
    output_field = BooleanField()

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        """Return SQL that runs the subquery before everything else."""
        return self.as_sql(
            compiler, connection, arg_joiner=" = ANY(ARRAY", template="%(expressions)s)"
        )


def _mails_taken() -> QuerySet[InboundMail]:
    """The given mails that somebody has, last those that also killed a second worker."""
    left = _given_mails().filter(working_since__isnull=False).only("pk")
    return left.order_by("setbacks", "received_at", "id")


_NEXT_TURN = Query(_next_turn)
_LEFT = Query(_mails_taken)
_TAKE_FIRST = Update(
    _first_free,
    working_since=Given("now", TIME),
    retry_at=Given("until", TIME),
    returning=("id", "raw"),
)
_WAITS = Query(lambda: waiting(Given("now", TIME)).filter(pk=Given("mail")).only("pk"))
_TAKE = Update(
    lambda: waiting(Given("now", TIME)).filter(pk=Given("mail"), working_since=None),
    working_since=Given("now", TIME),
    retry_at=Given("until", TIME),
    returning="raw",
)
