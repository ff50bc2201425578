"""The vital signs: age and depth of every queue, by partial indexes, however long the history."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from diplomacy_server.health.room import why_no_room
from games.models import UNFINISHED, Event, Phase
from games.queries.halts import halt_now
from games.services.adjudication.due_games import phases_due
from mailer.inbound.outages import our_mailboxes
from mailer.inbound.store import mailbox_name
from mailer.models import InboundMail, OutboundMail, Picture
from mailer.outbound import probe
from mailer.outbound.probe import RoundTrip

RECENT = dt.timedelta(hours=24)
SAMPLE = 200
"""Delays are those of this many latest mails."""
SEVERAL = 2


@dataclass(frozen=True, slots=True)
class MailboxSign:
    """One mailbox of ours."""

    name: str
    last_ok_poll: dt.datetime | None
    """When the last poll began that fetched everything, None if there was never one."""
    failing_since: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Queue:
    """How many things wait, and since when the oldest does."""

    count: int
    oldest: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Delay:
    """How long the latest mails of a kind took, in seconds; zero if there are none."""

    mails: int
    median: float
    nearly_all: float
    """Nineteen in twenty took no longer than this."""


@dataclass(frozen=True, slots=True)
class HaltSign:
    """Since when the whole server has stood still, why, and by whose wish."""

    since: dt.datetime
    why: str
    by: str


@dataclass(frozen=True, slots=True)
class Signs:
    """The server's signs at `at`."""

    at: dt.datetime
    no_room: str
    """Why the database takes nothing new, "" if it does."""
    mailboxes: tuple[MailboxSign, ...]
    unworked: Queue
    """Mails that are stored but not worked on yet."""
    put_by: Queue
    """Mails beyond what one sender, or all strangers together, may send in an hour."""
    set_aside: Queue
    """Mails that broke the program and wait for an operator."""
    unfetched: Queue
    """Mails that their server does not hand over."""
    due: Queue
    """Open phases whose time is over; 0 while the whole server stands still."""
    halt: HaltSign | None
    """Why the whole server stands still, if it does."""
    stuck: int
    """Phases whose adjudication failed and that wait for an operator."""
    untold: Queue
    """Events whose mails could not be written yet."""
    outbox: Queue
    """Mails to be sent now; as long as none goes out at all, also those that were put off. `queued`
    counts mails due at any time."""
    queued: int
    refused: int
    """How many of them the relay refused in words that may mean us: we try these again."""
    failed: int
    """Mails of the last day that the relay refused for good."""
    bounced: int
    """Mails of the last day that came back."""
    undrawn: int
    """Phases of the last day that could not be drawn, so that their mails went without pictures."""
    receipts: Delay
    """From a mail's arrival to the sending of its receipt."""
    results: Delay
    """From the decision of a result to the sending of its mail."""
    round_trip: RoundTrip | None
    """What the mails to ourselves say, if we send any."""
    running: int
    """Games that are being played, paused ones included."""


def take(now: dt.datetime) -> Signs:
    """Read every sign; a fixed number of short queries."""
    state = InboundMail.State
    stuck_mails = InboundMail.objects.filter(released_at=None)
    since = now - RECENT
    ours = OutboundMail.objects.all()
    sent = ours.filter(state=OutboundMail.State.SENT)
    queued = ours.filter(state=OutboundMail.State.QUEUED)
    waiting = queued.aggregate(
        all=Count("pk"), refused=Count("pk", filter=Q(last_error__startswith="5"))
    )
    priority, halt = OutboundMail.Priority, _halt()
    return Signs(
        at=now,
        no_room=why_no_room(),
        mailboxes=_mailboxes(),
        unworked=_queue(InboundMail.objects.filter(state=state.NEW), "stored_at"),
        put_by=_queue(InboundMail.objects.filter(state=state.LATER), "received_at"),
        set_aside=_queue(stuck_mails.filter(state=state.QUARANTINED), "received_at"),
        unfetched=_queue(stuck_mails.filter(state=state.UNFETCHED), "received_at"),
        due=Queue(0, None) if halt else _due(now),
        halt=halt,
        stuck=Phase.objects.filter(status=Phase.Status.STUCK).count(),
        untold=_queue(Event.objects.filter(told_at=None), "created_at"),
        outbox=_outbox(queued, sent, now),
        queued=waiting["all"],
        refused=waiting["refused"],
        failed=ours.filter(state=OutboundMail.State.FAILED, created_at__gte=since).count(),
        bounced=ours.filter(bounced_at__gte=since).count(),
        undrawn=_undrawn(since),
        receipts=_delay(sent.filter(priority=priority.RECEIPT), since="answers__received_at"),
        results=_delay(sent.filter(priority=priority.RESULT), since="created_at"),
        round_trip=probe.round_trip(now),
        running=Phase.objects.filter(status__in=UNFINISHED).count(),
    )


def _halt() -> HaltSign | None:
    halt = halt_now()
    return HaltSign(halt.began_at, halt.why, halt.by) if halt else None


def _mailboxes() -> tuple[MailboxSign, ...]:
    rows = {row.url: row for row in our_mailboxes()}
    names = [mailbox_name(url) for url in settings.IMAP_URLS]
    return tuple(
        MailboxSign(name, row.last_ok_poll, row.failing_since)
        if (row := rows.get(name))
        else MailboxSign(name, None, None)
        for name in names
    )


def _queue(rows: QuerySet[Any], since: str) -> Queue:
    found = rows.aggregate(count=Count("pk"), oldest=Min(since))
    return Queue(found["count"], found["oldest"])


def _outbox(
    queued: QuerySet[OutboundMail], sent: QuerySet[OutboundMail], now: dt.datetime
) -> Queue:
    """Return what waits to be sent.

    A mail that is put off may be its recipient's own problem. But if mails to several people are,
    and none has gone out since they were written, our relay takes none.
    """
    last_sent = sent.order_by("-pk").values("sent_at")[:1]
    since = Coalesce(Subquery(last_sent), now - RECENT)
    due = Q(not_before__lte=now)
    put_off = Q(not_before__gt=now, created_at__gt=since) & ~Q(last_error="")
    found = queued.aggregate(
        due=Count("pk", filter=due),
        oldest_due=Min("not_before", filter=due),
        put_off=Count("pk", filter=put_off),
        oldest_put_off=Min("created_at", filter=put_off),
        to=Count("recipient", filter=put_off, distinct=True),
    )
    if found["to"] < SEVERAL:
        return Queue(found["due"], found["oldest_due"])
    return Queue(found["due"] + found["put_off"], found["oldest_put_off"])


def _due(now: dt.datetime) -> Queue:
    games = phases_due(now=now)
    open_phases = Phase.objects.filter(game__in=games, status=Phase.Status.OPEN)
    oldest = open_phases.aggregate(oldest=Min("due_at"))["oldest"] if games else None
    return Queue(len(games), min(oldest, now) if oldest else None)


def _undrawn(since: dt.datetime) -> int:
    recent = Q(phase__opened_at__gte=since) | Q(phase__processed_at__gte=since)
    undrawn = Picture.objects.filter(recent, width=0)
    return undrawn.values("phase").distinct().count()


def _delay(mails: QuerySet[OutboundMail], since: str) -> Delay:
    latest = mails.filter(**{f"{since}__isnull": False}).order_by("-pk")
    pairs = latest.values_list("sent_at", since)[:SAMPLE]
    taken = sorted(max(0.0, (sent - begun).total_seconds()) for sent, begun in pairs)
    if not taken:
        return Delay(0, 0.0, 0.0)
    return Delay(len(taken), _at(taken, 0.5), _at(taken, 0.95))


def _at(taken: Sequence[float], share: float) -> float:
    return taken[min(len(taken) - 1, int(share * len(taken)))]
