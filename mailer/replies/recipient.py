"""Who gets an answer: their address of record, how many they had today, and their thread.

Of a player who is proved, all of it comes in one statement.
"""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django.db.models import Count, OuterRef, QuerySet, Subquery

from games.models import Address, Phase, Player
from games.models.player import record_among
from games.models.prepared import TIME, Given, Query
from mailer.identity.senders import Proof, Sender
from mailer.models import OutboundMail
from mailer.outbound import threads
from mailer.outbound.threads import Root
from mailer.replies.budget import A_DAY, answers_to, budget_of, within_budget


class Recipient(NamedTuple):
    """Where an answer goes, and what went there before it."""

    record: str
    """The player's address of record; empty without one, and for strangers."""
    email: str
    """Where the answer goes: there, or else to the address of the mail."""
    is_full: bool
    """Whether that address has had too many answers today."""
    root: Root
    """The mail that began the thread of the phase in the player's mailbox."""


def recipient_of(sender: Sender, phase: Phase | None, now: dt.datetime) -> Recipient:
    """Who gets the answer to a mail of this sender about the phase, or about none."""
    player, proved = sender.player, sender.proof is not Proof.NONE
    if player and proved and (found := _proved(player, phase, budget_of(sender), now)):
        return found
    record = player.address if player else ""
    email = record or sender.email
    is_full = not within_budget(email, budget_of(sender), now, proved=proved)
    root = threads.root(phase, player) if phase and player else threads.NO_ROOT
    return Recipient(record, email, is_full, root)


def _proved(player: Player, phase: Phase | None, most: int, now: dt.datetime) -> Recipient | None:
    """A player who is proved and has an address of record, read at once."""
    rows = _ADDRESSES.all(player=player.pk, phase=phase and phase.pk, day_ago=now - A_DAY)
    record = record_among(rows)
    if record is None:
        return None
    message_id, subject, answered = (
        getattr(record, name) for name in ("root_id", "root_subject", "answered")
    )
    root = Root(message_id or "", subject or "")
    return Recipient(record.email, record.email, (answered or 0) >= most, root)


def _addresses() -> QuerySet[Address]:
    first = OutboundMail.objects.filter(opens=Given("phase"), player=Given("player")).order_by("pk")
    answers = answers_to(OuterRef("email"), since=Given("day_ago", TIME), proved=True)
    number = answers.order_by().values("recipient").annotate(number=Count("pk")).values("number")
    return Address.objects.filter(player=Given("player")).annotate(
        answered=Subquery(number),
        root_id=Subquery(first.values("message_id")[:1]),
        root_subject=Subquery(first.values("subject")[:1]),
    )


_ADDRESSES = Query(_addresses)
