"""Attempts to work on a mail: counted before it is opened, spaced out, and at an end some time.

What breaks the program three times is set aside for a human and never stands in the way of the next
mail.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from django.db import transaction
from django.db.models import F, Q, QuerySet

from mailer.letter import read_letter
from mailer.models import InboundMail
from mailer.reply import apologise

logger = logging.getLogger(__name__)

PAUSES = (dt.timedelta(seconds=5), dt.timedelta(seconds=30), dt.timedelta(minutes=2))
ATTEMPTS = len(PAUSES)
State = InboundMail.State
UNDONE = (State.NEW, State.LATER)
"""The states of mails that are still to be worked on."""


def waiting(now: dt.datetime) -> QuerySet[InboundMail]:
    """The mails that are to be worked on now."""
    # One state in each part, as the indexes are: else all mail that ever came is looked through.
    due = Q(retry_at=None) | Q(retry_at__lte=now)
    return InboundMail.objects.filter(
        Q(due, state=State.NEW) | Q(retry_at__lte=now, state=State.LATER)
    )


def claimed(*, mail_id: int, now: dt.datetime) -> bool:
    """Counts an attempt and keeps others off for a while; False when the mail is not to be tried.

    A mail whose attempts are used up without a word of failure has killed its workers.
    """
    this = waiting(now).filter(pk=mail_id)
    attempts: int | None = 0  # so it is with nearly all; else we look
    while attempts is not None and attempts < ATTEMPTS:
        mine = this.filter(attempts=attempts)
        if mine.update(attempts=F("attempts") + 1, retry_at=now + PAUSES[attempts]):
            return True
        attempts = this.values_list("attempts", flat=True).first()
    if attempts is not None:
        _set_aside(mail_id, "It stopped the program three times.", now)
    return False


def failed(*, mail_id: int, error: str, now: dt.datetime) -> None:
    """Notes why an attempt failed; after the last the mail is set aside."""
    InboundMail.objects.filter(pk=mail_id).update(error=error[:2000])
    if InboundMail.objects.filter(pk=mail_id, attempts__gte=ATTEMPTS).exists():
        _set_aside(mail_id, "It broke the program three times.", now)


def run_again(*, mail_ids: Sequence[int]) -> int:
    """Gives mails that were set aside another three attempts; how many there were."""
    mails = InboundMail.objects.filter(pk__in=mail_ids, state=State.QUARANTINED)
    return mails.update(state=State.NEW, attempts=0, retry_at=None, error="", note="")


def _set_aside(mail_id: int, why: str, now: dt.datetime) -> None:
    """Quarantines a mail; its sender is told in neutral words if he is a player."""
    logger.error("Mail #%s is set aside: %s", mail_id, why)
    with transaction.atomic():
        mail = InboundMail.objects.select_for_update().get(pk=mail_id)
        mail.state, mail.note, mail.processed_at = State.QUARANTINED, why, now
        mail.save(update_fields=["state", "note", "processed_at"])
    try:
        with transaction.atomic():
            apologise(mail=mail, letter=read_letter(bytes(mail.raw)), now=now)
    except Exception:  # the letter may be what breaks: then the operator's log has to do
        logger.exception("The sender of mail #%s could not be told", mail_id)
