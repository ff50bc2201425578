"""Tells people what happened; `table` says who is told of what.

Every recipient comes from the database, never from an incoming mail.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import transaction

from games.events import KINDS
from games.models import Event
from games.models.prepared import TIME, Given, Update
from mailer.models import OutboundMail
from mailer.notices.news import Row
from mailer.notices.notice import Notice
from mailer.notices.table import TABLE
from mailer.outbound import addresses, outbox


@transaction.atomic(savepoint=False)
def tell_event(event: Event, *, now: dt.datetime) -> list[OutboundMail]:
    """Queue every notice of `event`, and note that it is told; a repeated call queues the same
    mails, and no new ones."""
    notices = list(_notices(event, now))
    places = addresses.places_of([notice.reply_to for notice in notices], now=now)
    told = zip(notices, places, strict=True)
    mails = outbox.enqueue_all([notice.mail(event, place, now) for notice, place in told])
    if event.told_at is None:
        _TOLD.run(event=event.pk, now=now)
    return mails


_TOLD = Update(
    lambda: Event.objects.filter(pk=Given("event"), told_at=None), told_at=Given("now", TIME)
)


def _notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    told = TABLE.get(KINDS[event.kind])
    if told is None:
        return ()
    return told.to(event, told, now) if isinstance(told, Row) else told(event, now)
