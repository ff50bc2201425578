"""Empties the mailbox: it keeps the words of a mail no longer than the database does."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence

from django.conf import settings
from django.db.models import QuerySet

from mailer.inbound.imap import FAULTS, Session, error_text, in_portions
from mailer.inbound.poller import PROCESSED, QUARANTINE
from mailer.inbound.store import digest_of, mailbox_name
from mailer.models import InboundMail

PER_TURN = 5000
"""How many mails one turn deletes, so that others get theirs."""
logger = logging.getLogger(__name__)


def delete_old(now: dt.datetime) -> int:
    """Delete mails that we dealt with and that came more than MAIL_DAYS ago, as many as fit a turn;
    return how many.

    A mailbox that we cannot reach is left to the next turn.
    """
    if not settings.MAIL_DAYS:
        return 0
    before = (now - dt.timedelta(days=settings.MAIL_DAYS)).date()
    return sum(_delete(url, before) for url in settings.IMAP_URLS)


def _delete(url: str, before: dt.date) -> int:
    try:
        with Session(url) as session:
            return session.delete_before(before, PROCESSED, most=PER_TURN)
    except FAULTS as error:
        logger.warning("Old mail in %s was not deleted: %s", mailbox_name(url), error_text(error))
        return 0


def delete_erased(emails: Sequence[str], theirs: QuerySet[InboundMail]) -> int:
    """Delete from the mailboxes the mails from these addresses that are among these, by their
    digests; return how many.

    Mails that still lie in the INBOX are not looked at: the caller asks again once the poller has
    tidied. A mailbox that we cannot reach is left out.
    """
    return sum(_delete_erased(url, emails, theirs) for url in settings.IMAP_URLS)


def _delete_erased(url: str, emails: Sequence[str], theirs: QuerySet[InboundMail]) -> int:
    try:
        with Session(url) as session:
            places = [(email, folder) for folder in (PROCESSED, QUARANTINE) for email in emails]
            return sum(_delete_from(session, *place, theirs) for place in places)
    except FAULTS as error:
        logger.warning(
            "Erased mail in %s was not deleted: %s", mailbox_name(url), error_text(error)
        )
        return 0


def _delete_from(session: Session, email: str, folder: str, theirs: QuerySet[InboundMail]) -> int:
    found, deleted = session.sent_from(email, folder), 0
    for portion in in_portions(session.facts(found)) if found else ():
        digests = {uid: digest_of(raw) for uid, raw in session.fetch(portion).items()}
        known = set(
            theirs.filter(sha256__in=digests.values()).order_by().values_list("sha256", flat=True)
        )
        if uids := [uid for uid, digest in digests.items() if digest in known]:
            session.delete(uids)
        deleted += len(uids)
    return deleted
