"""Mails to those who run the server (settings.OPERATOR_ADDRESSES) that belong to no game."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.conf import settings

from mailer.models import OutboundMail
from mailer.outbound import layout, outbox


def tell(
    *,
    key: str,
    kind: str,
    subject: str,
    context: Mapping[str, object],
    now: dt.datetime,
) -> None:
    """Queue a mail for each operator, from the template of its `kind`; `key` makes it the same mail
    if it is told again."""
    for address in settings.OPERATOR_ADDRESSES:
        outbox.enqueue(
            key=f"{key}/{address}"[:200],
            kind=kind,
            recipient=address,
            subject=subject,
            body=layout.render(f"{kind}_operators", site=settings.SITE_URL, **context),
            now=now,
            priority=OutboundMail.Priority.RESULT,
        )
