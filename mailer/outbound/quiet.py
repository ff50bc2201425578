"""Mails kept back: all mails to players who paused their mail, and bulk to addresses that called it
spam.

Answers to a player's own mail are never kept back, nor is what they asked for. What is kept back
stays so; `mailer/notices/while_away.py` sums it up.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from django.db.models.functions import Upper

from games.models import Address
from mailer.models import OutboundMail
from mailer.outbound.unsubscribe import bulk_of

State = OutboundMail.State


def keep_back(rows: Sequence[OutboundMail], asked_for: Collection[str]) -> list[OutboundMail]:
    """Mark those of these new mails that do not go out; `asked_for` are keys of mails that do.

    Returns those whose player paused their mail.
    """
    free = [mail for mail in rows if mail.answers_id is None and mail.key not in asked_for]
    paused = [mail for mail in free if mail.player and mail.player.mail_paused_at]
    bulk = [mail for mail in free if bulk_of(mail)]
    unwanted = _complaining({mail.recipient.upper() for mail in bulk}) if bulk else set()
    for mail in (*paused, *(one for one in bulk if one.recipient.upper() in unwanted)):
        mail.state = State.KEPT
    return paused


def _complaining(emails: Collection[str]) -> set[str]:
    known = Address.objects.annotate(upper=Upper("email")).filter(upper__in=emails)
    return set(known.filter(complained_at__isnull=False).values_list("upper", flat=True))


def let_go(kept: Sequence[OutboundMail], *, now: dt.datetime) -> None:
    """Queue what was kept back, and is written by now, if its player wants mail again.

    The rows that we wrote lock the player's row, so code that resumes their mail waits for us, or
    has finished before we look.
    """
    again = OutboundMail.objects.filter(pk__in=[mail.pk for mail in kept], state=State.KEPT)
    again.filter(player__mail_paused_at=None).update(state=State.QUEUED, not_before=now)
