"""How many answers somebody gets in a day.

A forged From line must not make us flood somebody, nor may two programs write to each other without
end. Mails that prove their sender and mails that do not are counted apart.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import Q

from mailer.identity.senders import Proof, Sender
from mailer.models import OutboundMail

STRANGERS_BUDGET = 5
UNPROVED_BUDGET = 30
PROVED_BUDGET = 5000  # a game of short phases asks for many; a loop without pauses is cut off
A_DAY = dt.timedelta(days=1)
REFUSED = "/refused"
"""What the key of an answer ends with that could only say no."""
UNPROVED = ("", Proof.NONE.name.lower())


def budget_of(sender: Sender) -> int:
    """How many answers a day somebody gets who is proved so far."""
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
    recent = OutboundMail.objects.filter(kind=kind, recipient=recipient, created_at__gt=now - A_DAY)
    if proved is not None:
        forged = Q(answers__proof__in=UNPROVED)
        recent = recent.exclude(forged) if proved else recent.filter(forged)
    return recent.count() < budget


def refusals_today(recipient: str, now: dt.datetime) -> int:
    """How many answers without anything done this address had in the last day."""
    answers = OutboundMail.objects.filter(recipient=recipient, created_at__gt=now - A_DAY)
    return answers.filter(kind="reply", key__endswith=REFUSED).count()
