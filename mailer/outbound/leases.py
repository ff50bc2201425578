"""Which mails go out next, and which worker has them meanwhile.

Mails to one recipient leave in the order in which they were queued, because people take the last
receipt in a mailbox for the current state. Receipts go first, and recipients take turns.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import DatabaseError, InterfaceError
from django.db.models import Case, F, Max, Min, Q, QuerySet, RowRange, When, Window
from django.db.models.functions import Coalesce, RowNumber

from games.models.prepared import TEXT, TIME, Given, Query, WholeUpdate
from mailer.models import OutboundMail

logger = logging.getLogger(__name__)

LEASE = dt.timedelta(minutes=1)
"""After this time others may take the mails of a worker that died."""
MOST = 10
"""How many mails are taken at once."""
AHEAD = 100
"""How many mails one look at the queue finds."""
LOOK_SECONDS = 3.0
"""Seconds after which we look again: a receipt queued meanwhile goes before results."""
PATIENCE = 5
"""How often a mail may be put off before later ones to the same recipient overtake it: for eight
minutes, longer than a greylisting server makes strangers wait."""
NOBODYS: Final[dict[str, Any]] = {"leased_until": None, "leased_by": ""}


class Due:
    """What one look at the queue has found, to lease bit by bit.

    A look costs half a second when 80,000 mails are queued, as after a deadline that 10,000 games
    share: with a look for every ten mails, mails went out at five a second. It finds only the first
    mail to each recipient, so that none overtakes another; taking a mail checks that it is still
    due.
    """

    def __init__(self) -> None:
        self._ahead: list[OutboundMail] = []
        self._until = 0.0

    def lease(self, *, now: dt.datetime, limit: int) -> list[OutboundMail]:
        """Take up to `limit` mails, or MOST, for ourselves until now + LEASE; they count as
        tried."""
        while next_ones := self._next(now, min(limit, MOST)):
            if taken := _take(next_ones, now):
                return taken
        return []

    def _next(self, now: dt.datetime, limit: int) -> list[OutboundMail]:
        if self._ahead and time.monotonic() < self._until:
            end = _of_whole_events(self._ahead, limit)
            first, self._ahead = self._ahead[:end], self._ahead[end:]
            return first
        found = _DUE.all(now=now)
        end = _of_whole_events(found, limit)
        self._ahead = [mail for mail in found[end:] if vars(mail)["turn"] == 1]
        self._until = time.monotonic() + LOOK_SECONDS
        return found[:end]


def _of_whole_events(mails: Sequence[OutboundMail], limit: int) -> int:
    """How many of the mails to take, at most `limit`: if possible, all those about the same phase.

    They have the same pictures. If two workers had parts of them, both would draw two phases in
    five.
    """
    first, rest = mails[:limit], mails[limit:]
    if not rest or rest[0].event_id is None or first[-1].event_id != rest[0].event_id:
        return len(first)
    return sum(mail.event_id != rest[0].event_id for mail in first) or limit


def _due() -> QuerySet[OutboundMail]:
    """The mails that may go out now, the next one first.

    A mail waits for an earlier one to the same recipient that somebody is sending or has put off;
    but not for ever, or a mail that the server never takes would stop all later ones. A mail is as
    urgent as the most urgent one queued after it. A recipient of several mails gets one each turn.
    Within a turn mails about the same event leave one after the other, because they have the same
    pictures; among them random ids decide, so that nobody is always first.

    One scan finds them all: looking for earlier mails before each would be quadratic, because
    PostgreSQL never knows how many are queued at the moment.
    """
    queued = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED)
    waits = Q(not_before__gt=_NOW, attempts__lte=PATIENCE) | Q(leased_until__gt=_NOW)
    one_before_waits = Window(
        Max(Case(When(waits, then=1), default=0)),
        partition_by=F("recipient"),
        order_by=F("pk").asc(),
        frame=RowRange(end=-1),
    )
    not_yet = Case(When(_FREE & Q(not_before__lte=_NOW), then=0), default=1)
    urgency = Window(Min("priority"), partition_by=F("recipient"), order_by=F("pk").desc())
    turn = Window(RowNumber(), partition_by=F("recipient"), order_by=F("pk").asc())
    due = queued.annotate(waits=Coalesce(one_before_waits, 0) + not_yet, turn=turn).filter(waits=0)
    # Without their contents: sorting whole mails would need the disk.
    order = urgency, "turn", "not_before", "event_id", "message_id"
    return due.only("pk", "recipient", "event_id").order_by(*order)[:AHEAD]


def given_mails() -> list[Any]:
    """The places of MOST mails in a statement that is built once."""
    return [Given(name) for name in _KEYS]


def keys_of(mails: Sequence[OutboundMail]) -> dict[str, int]:
    """The values for these places, for MOST mails or fewer."""
    keys = [mail.pk for mail in mails] + [mails[0].pk] * (MOST - len(mails))
    return dict(zip(_KEYS, keys, strict=True))


def _free_of() -> QuerySet[OutboundMail]:
    """The given mails that are due and that nobody has; mails that another worker takes at this
    moment are left to it."""
    queued = OutboundMail.objects.filter(_FREE, state=OutboundMail.State.QUEUED)
    free = queued.filter(pk__in=given_mails(), not_before__lte=_NOW)
    locked = free.select_for_update(skip_locked=True)
    return OutboundMail.objects.filter(pk__in=locked)


_NOW = Given("now", TIME)
_FREE = Q(leased_until=None) | Q(leased_until__lte=_NOW)
_KEYS = [f"mail{number}" for number in range(MOST)]
_DUE = Query(_due)
_TAKE = WholeUpdate(
    _free_of,
    leased_until=Given("until", TIME),
    leased_by=Given("token", TEXT),
    attempts=F("attempts") + 1,
)


def _take(wanted: Sequence[OutboundMail], now: dt.datetime) -> list[OutboundMail]:
    """Lease these mails; return those that are ours now, none if other workers were faster with
    all.

    If another was faster with one mail, later ones to the same recipient wait, too.
    """
    token, until = uuid.uuid4().hex, now + LEASE
    whole = _TAKE.whole(now=now, until=until, token=token, **keys_of(wanted))
    ours: dict[int, OutboundMail] = {mail.pk: mail for mail in whole}
    lost = {mail.recipient for mail in wanted if mail.pk not in ours}
    taken = [ours[mail.pk] for mail in wanted if mail.pk in ours]
    for mail in taken:
        if mail.recipient in lost:
            give_back(mail)
    return [mail for mail in taken if mail.recipient not in lost]


@dataclass(frozen=True, slots=True)
class Begun:
    """When a lease began: before its mails were taken, which may have lasted a while."""

    at: dt.datetime
    """By the clock of the job."""
    monotonic: float
    """The same moment in seconds of `time.monotonic`."""

    def present(self) -> dt.datetime:
        """The time now by the clock of the job."""
        return self.at + dt.timedelta(seconds=time.monotonic() - self.monotonic)


def prolong(token: str, *, now: dt.datetime) -> bool:
    """Extend our lease of the mails that are not sent yet until now + LEASE; say whether the
    database took that."""
    ours = OutboundMail.objects.filter(leased_by=token, state=OutboundMail.State.QUEUED)
    try:
        ours.update(leased_until=now + LEASE)
    except (DatabaseError, InterfaceError) as error:
        logger.warning("Mail out: the lease could not be renewed: %s", error)
        return False
    return True


def still_ours(mail: OutboundMail, *, now: dt.datetime) -> bool:
    """Whether nobody else has taken a mail whose lease may have run out; if so, we lease it again.

    A machine that sleeps for minutes, or swaps, renews nothing. When it goes on, others may have
    sent its mails.
    """
    ours = our_lease(mail).filter(state=OutboundMail.State.QUEUED)
    return ours.update(leased_until=now + LEASE) == 1


def give_back(mail: OutboundMail, *, not_before: dt.datetime | None = None) -> None:
    """End our lease of a mail that we did not try; nobody tries it before `not_before`, if
    given."""
    later = {"not_before": not_before} if not_before else {}
    our_lease(mail).update(attempts=F("attempts") - 1, **later, **NOBODYS)


def our_lease(mail: OutboundMail) -> QuerySet[OutboundMail]:
    """The row while it is still leased to us; leases of others stay untouched."""
    return OutboundMail.objects.filter(pk=mail.pk, leased_by=mail.leased_by)
