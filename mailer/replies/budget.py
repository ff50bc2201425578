"""How many answers somebody gets in a day, and how many mails of theirs are worked on in an hour.

A forged From line must not make us flood somebody, two programs must not write to each other
without end, and none may keep us from everybody else's mail. Nothing is thrown away: what is too
much for an hour is kept, worked on as the hour goes by, and counts from when it came. Mails that
prove their sender and mails that only claim one are counted separately, so that somebody who forges
a player's From line cannot use up what the player may send.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Q, QuerySet

from games.services.cleaned import EMAIL_LENGTH, can_be_written_to
from mailer.identity.senders import Proof, Sender
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import layout, outbox
from mailer.text import MARKER

STRANGERS_BUDGET = 5
UNPROVED_BUDGET = 30
PROVED_BUDGET = 5000  # a game of short phases asks for many; a loop without pauses is cut off
A_DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
REFUSED = "/refused"
"""How the key of an answer ends that could only refuse."""
UNPROVED = ("", Proof.NONE.name.lower())


def budget_of(sender: Sender) -> int:
    """How many answers a day somebody gets for whom we have this much proof."""
    if sender.player is None and sender.gm is None:
        return STRANGERS_BUDGET
    return UNPROVED_BUDGET if sender.proof is Proof.NONE else PROVED_BUDGET


def within_budget(
    recipient: str,
    budget: int,
    now: dt.datetime,
    *,
    kind: str = "reply",
    proved: bool | None = None,
) -> bool:
    """Whether this address has had fewer than `budget` mails of this kind in the last day.

    `proved` counts only answers to mails that prove their sender, or that do not: forged mails
    must not use up what senders themselves may ask.
    """
    return answers_to(recipient, since=now - A_DAY, kind=kind, proved=proved).count() < budget


def answers_to(
    recipient: object, *, since: object, kind: str = "reply", proved: bool | None = None
) -> QuerySet[OutboundMail]:
    """The mails of this kind to an address since then; `proved` as in `within_budget`."""
    recent = OutboundMail.objects.filter(kind=kind, recipient=recipient, created_at__gt=since)
    if proved is None:
        return recent
    forged = Q(answers__proof__in=UNPROVED)
    return recent.exclude(forged) if proved else recent.filter(forged)


def refusals_today(recipient: str, now: dt.datetime) -> int:
    """How many answers without anything done this address had in the last day."""
    answers = OutboundMail.objects.filter(recipient=recipient, created_at__gt=now - A_DAY)
    return answers.filter(kind="reply", key__endswith=REFUSED).count()


def full_until(sender: Sender, now: dt.datetime, worked_on: int) -> dt.datetime | None:
    """When there is room for a mail of this sender again; None if there is room now.

    `worked_on` is how many of their mails, with as much proof as this one, were worked on in the
    last hour.
    """
    most = settings.MAILS_PER_HOUR
    if worked_on < most:
        return None
    kept = sender.email[:EMAIL_LENGTH]
    recent = InboundMail.objects.filter(sender=kept, processed_at__gt=now - HOUR)
    alike = (
        recent.filter(proof__in=UNPROVED)
        if sender.proof is Proof.NONE
        else recent.exclude(proof__in=UNPROVED)
    )
    times = alike.order_by("-processed_at").values_list("processed_at", flat=True)
    last_that_counts = times[most - 1 : most].first()
    return last_that_counts + HOUR if last_that_counts else None


def say_later(mail: InboundMail, sender: Sender, now: dt.datetime) -> None:
    """Tell a sender, once a day, that we work on their mails more slowly, and what that means."""
    recipient = (sender.player.address if sender.player else "") or sender.email
    if not can_be_written_to(recipient):
        return
    outbox.enqueue(
        key=f"later/{now.date()}/{recipient}"[:200],
        kind="later",
        recipient=recipient,
        subject="Too many mails within an hour",
        body=layout.render(
            "later",
            marker=MARKER,
            name=sender.player.name if sender.player else "",
            most=settings.MAILS_PER_HOUR,
        ),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=sender.player,
        answers=mail,
        in_reply_to=mail.message_id,
        references=mail.message_id,
    )
