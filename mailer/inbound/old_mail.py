"""The mailbox keeps the words of a mail no longer than the database does, and does not fill up."""

from __future__ import annotations

import datetime as dt
import logging

from django.conf import settings

from mailer.inbound.imap import FAULTS, Session, said
from mailer.inbound.poller import PROCESSED
from mailer.inbound.store import mailbox_name

PER_TURN = 500
logger = logging.getLogger(__name__)


def delete_old(now: dt.datetime) -> int:
    """Delete what was dealt with and came more than MAIL_DAYS ago, as much as fits a turn; return
    how many mails. A mailbox that cannot be reached is left to the next turn."""
    if not settings.MAIL_DAYS:
        return 0
    before = (now - dt.timedelta(days=settings.MAIL_DAYS)).date()
    return sum(_delete(url, before) for url in settings.IMAP_URLS)


def _delete(url: str, before: dt.date) -> int:
    try:
        with Session(url) as session:
            return session.delete_before(before, PROCESSED, most=PER_TURN)
    except FAULTS as error:
        logger.warning("Old mail in %s was not deleted: %s", mailbox_name(url), said(error))
        return 0
