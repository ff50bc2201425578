"""How often we ask at an address whether it, or a mail, belongs to its owner."""

from __future__ import annotations

import datetime as dt

from mailer.models import OutboundMail

MOST_A_DAY = 5
"""A player who names other people's addresses must not make us fill their mailboxes."""


def may_be_asked(recipient: str, now: dt.datetime) -> bool:
    """Whether we may ask there once more today."""
    day = OutboundMail.objects.filter(
        recipient__iexact=recipient, created_at__gt=now - dt.timedelta(days=1)
    )
    return day.filter(kind="question").count() < MOST_A_DAY
