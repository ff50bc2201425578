"""A mail to ourselves now and then: how long it takes, and whether it comes back at all.

It takes the way of every mail: out through the outbox and the relay, in through the mailbox. So it
shows what no single part can show: that mails arrive.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from mailer.models import InboundMail, OutboundMail
from mailer.outbound import outbox

KIND = "probe"
KEPT = dt.timedelta(days=7)
TEXT = "The server sent itself this mail to see how long mail takes. Nobody needs to read it.\n"


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """The result of the probes."""

    seconds: float | None
    """How long the newest that came back was on its way; None if none has come back."""
    missing_since: dt.datetime | None
    """When the oldest that is still missing was written."""


def probe(now: dt.datetime) -> bool:
    """Write to ourselves if it is time; return whether we did. However many processes ask, we send
    one mail."""
    if not settings.PROBE_SECONDS:
        return False
    key = f"{KIND}/{int(now.timestamp() // settings.PROBE_SECONDS)}"
    if OutboundMail.objects.filter(key=key).exists():
        return False
    outbox.enqueue(
        key=key,
        kind=KIND,
        recipient=settings.JUDGE_ADDRESS,
        subject="A mail of the server to itself",
        body=TEXT,
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
    )
    _forget(now)
    return True


def came_back(message_id: str) -> OutboundMail | None:
    """The probe with this Message-ID, which only we and our mail servers know."""
    found = OutboundMail.objects.filter(message_id=message_id, kind=KIND) if message_id else None
    return found.first() if found is not None else None


def round_trip(now: dt.datetime) -> RoundTrip | None:
    """What the probes of the last day show, None if we send none."""
    if not settings.PROBE_SECONDS:
        return None
    lately = _probes().filter(created_at__gt=now - dt.timedelta(days=1))
    back = InboundMail.objects.filter(bounce_of__in=lately).order_by("-bounce_of")
    newest = back.values_list("stored_at", "bounce_of__created_at").first()
    missing = lately.filter(~Exists(InboundMail.objects.filter(bounce_of=OuterRef("pk"))))
    return RoundTrip(
        seconds=(newest[0] - newest[1]).total_seconds() if newest else None,
        missing_since=missing.order_by("pk").values_list("created_at", flat=True).first(),
    )


def _probes() -> QuerySet[OutboundMail]:
    return OutboundMail.objects.filter(kind=KIND)


@transaction.atomic
def _forget(now: dt.datetime) -> None:
    """Delete old probes: nobody needs them, and the table must not grow."""
    old = list(_probes().filter(created_at__lte=now - KEPT).values_list("pk", flat=True))
    InboundMail.objects.filter(bounce_of__in=old).delete()
    OutboundMail.objects.filter(pk__in=old).delete()
