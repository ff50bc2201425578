"""Who gets an answer: their address of record, how many answers they had today, and their thread.

For a player whose identity is proved, one statement reads all of it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, QuerySet, Subquery

from games.models import Address, Phase
from games.models.prepared import TIME, Given, Query
from mailer.identity.senders import Proof, Sender
from mailer.models import OutboundMail
from mailer.outbound import threads
from mailer.outbound.threads import Root
from mailer.replies.budget import A_DAY, PROVED_BUDGET, answers_to, budget_of, within_budget


class Recipient(NamedTuple):
    """Where an answer goes, and what went there before."""

    record: str
    """The player's address of record; "" if there is no such address, and for strangers."""
    email: str
    """Where the answer goes: there, or else to the address of the mail."""
    is_full: bool
    """Whether that address has had too many answers today."""
    root: Root
    """The mail that began the thread of the phase in the player's mailbox."""


def recipient_of(sender: Sender, phase: Phase | None, now: dt.datetime) -> Recipient:
    """Who gets the answer to a mail of this sender about the phase, or about none."""
    player, proved = sender.player, sender.proof is not Proof.NONE
    if player and proved:
        asked = player.pk, phase.pk if phase else None
        if found := recipients_of([asked], now=now).get(asked):
            return found
    record = player.address if player else ""
    email = record or sender.email
    is_full = not within_budget(email, budget_of(sender), now, proved=proved)
    root = threads.root(phase, player) if phase and player else threads.NO_ROOT
    return Recipient(record, email, is_full, root)


def recipients_of(
    asked: Collection[tuple[int, int | None]], *, now: dt.datetime
) -> dict[tuple[int, int | None], Recipient]:
    """Who gets answers of players who are proved, each given by the keys of the player and of the
    phase, without those who have no address of record. Many take one statement."""
    day_ago = now - A_DAY
    given = [{"player": player, "phase": phase, "day_ago": day_ago} for player, phase in asked]
    rows = zip(asked, _RECORD.first_of_each(given), strict=True)
    return {one: _recipient(row) for one, row in rows if row}


def _recipient(record: Any) -> Recipient:
    root = Root(record.root_id or "", record.root_subject or "")
    is_full = (record.answered or 0) >= PROVED_BUDGET
    return Recipient(record.email, record.email, is_full, root)


def _record() -> QuerySet[Address]:
    # The first is that of record, as `record_among` has it.
    first = OutboundMail.objects.filter(opens=Given("phase"), player=Given("player")).order_by("pk")
    answers = answers_to(OuterRef("email"), since=Given("day_ago", TIME), proved=True)
    number = answers.order_by().values("recipient").annotate(number=Count("pk")).values("number")
    confirmed = Address.objects.filter(player=Given("player"), confirmed_at__isnull=False)
    return confirmed.order_by("-of_record", "confirmed_at").annotate(
        answered=Subquery(number),
        root_id=Subquery(first.values("message_id")[:1]),
        root_subject=Subquery(first.values("subject")[:1]),
    )[:1]


_RECORD = Query(_record)
