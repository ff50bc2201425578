"""How much of one sender is worked on, so that no program keeps us from everybody else's mail.

Nothing is thrown away: what is too much for an hour is kept and worked on as the hour goes by, and
counts from when it came. Mails that prove their sender and mails that only claim to are counted
apart: whoever forges a player's From line cannot use up what the player may send.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings

from mailer.identity.senders import Proof, Sender
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import layout, outbox
from mailer.replies.budget import UNPROVED
from mailer.text import MARKER

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)


def full_until(sender: Sender, now: dt.datetime) -> dt.datetime | None:
    """When there is room for a mail of this sender again; None when there is now."""
    recent = InboundMail.objects.filter(sender=sender.email, processed_at__gt=now - HOUR)
    alike = (
        recent.filter(proof__in=UNPROVED)
        if sender.proof is Proof.NONE
        else recent.exclude(proof__in=UNPROVED)
    )
    most = settings.MAILS_PER_HOUR
    times = alike.order_by("-processed_at").values_list("processed_at", flat=True)
    last_that_counts = times[most - 1 : most].first()
    return last_that_counts + HOUR if last_that_counts else None


def say_later(mail: InboundMail, sender: Sender, now: dt.datetime) -> None:
    """Tell a sender, once a day, that we work on their mails more slowly, and what that means."""
    recipient = (sender.player.address if sender.player else "") or sender.email
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
