"""Tells the operators that the whole server stands still, and that it goes on.

The players hear of it in each of their games (`ServerHalted`). If no game is being played, there is
no event, but the operators still hear of it.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db.models import Q

from games.models import Halt
from games.queries.reports.wording import utc_moment
from mailer.models import OutboundMail
from mailer.outbound import operators

LATELY = dt.timedelta(days=1)
"""Older halts are no news: an upgrade must not send mails about them."""


def tell_all(now: dt.datetime) -> None:
    """Queue the mails about halts that began or ended lately, once. Safe to repeat."""
    since = now - LATELY
    for halt in Halt.objects.filter(Q(began_at__gt=since) | Q(ended_at__gt=since)).order_by("pk"):
        if halt.began_at > since:
            _tell(halt, "server_halted", "The whole server stands still", now)
        if halt.ended_at and halt.ended_at > since:
            _tell(halt, "server_resumed", "The whole server goes on", now)


def _tell(halt: Halt, kind: str, subject: str, now: dt.datetime) -> None:
    key = f"{kind}/halt/{halt.pk}"
    keys = [f"{key}/{address}"[:200] for address in settings.OPERATOR_ADDRESSES]
    if OutboundMail.objects.filter(key__in=keys).count() == len(set(keys)):
        return
    context = {"halt": halt, "began": utc_moment(halt.began_at), "ended": utc_moment(halt.ended_at)}
    operators.tell(
        key=key,
        kind=kind,
        subject=subject,
        context=context,
        now=now,
    )
