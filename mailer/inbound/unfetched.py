"""Mails that the server of a mailbox cannot hand over: rows that say so.

Such a row is a mail without its text. It holds up the deadlines that the mail may have met, until
we fetch it, it is gone, or an operator lets it go (`holds.py`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from collections.abc import Iterable

from django.conf import settings
from django.db.models import QuerySet

from games.queries.reports.wording import counted, local_moment
from mailer.inbound.place import Place
from mailer.models import InboundMail, Mailbox
from mailer.outbound import operators

logger = logging.getLogger(__name__)

LONGEST_PAUSE = dt.timedelta(hours=1)
State = InboundMail.State
GONE = "It could not be fetched, and is in the mailbox no longer."
NO_UID = 0
"""A number that no mail in a mailbox has (RFC 3501, 2.3.1.1)."""


def note(
    *, place: Place, received_at: dt.datetime | None, why: str, now: dt.datetime
) -> InboundMail:
    """Note that a mail cannot be fetched, and when to try again: once, or once more if it was gone
    in the meantime.

    If the server does not even say when it came, we assume right after the last poll that brought
    everything: all deadlines not processed since then have to wait for it.
    """
    mailbox, uid = place.mailbox, place.uid
    came = received_at or mailbox.last_ok_poll or now
    row, new = InboundMail.objects.get_or_create(
        mailbox=mailbox,
        sha256=hashlib.sha256(f"unfetched {place.uidvalidity} {uid}".encode()).hexdigest(),
        defaults={
            "uidvalidity": place.uidvalidity,
            "uid": uid,
            "raw": b"",
            "received_at": min(came, now),
            "stored_at": now,
            "state": State.UNFETCHED,
        },
    )
    if back := row.uid != uid:  # see `note_gone`
        row.uid, row.state, row.processed_at = uid, State.UNFETCHED, None
    row.attempts += 1
    pause = dt.timedelta(seconds=settings.MAIL_RETRY_SECONDS) * (1 << min(row.attempts + 1, 20))
    row.retry_at = now + min(pause, LONGEST_PAUSE)
    row.note = f"UID {uid} cannot be fetched: {why}"[:200]
    row.save(update_fields=["uid", "state", "processed_at", "attempts", "retry_at", "note"])
    if new or back:
        logger.error("Mail in: %s: %s", mailbox, row.note)
        _tell(row, now)
    return row


def due(mailbox: Mailbox, now: dt.datetime) -> QuerySet[InboundMail]:
    """The mails to try again, the longest due first."""
    rows = InboundMail.objects.filter(mailbox=mailbox, state=State.UNFETCHED, retry_at__lte=now)
    return rows.order_by("retry_at", "id")


def came(mailbox: Mailbox, uidvalidity: int, uids: Iterable[int]) -> None:
    """Forget that these could not be fetched: they are here now, as mails of their own."""
    rows = InboundMail.objects.filter(mailbox=mailbox, uidvalidity=uidvalidity, uid__in=list(uids))
    rows.filter(state=State.UNFETCHED).delete()


def note_gone(row: InboundMail, *, now: dt.datetime) -> None:
    """Note that the mail is gone from the mailbox under this number, so nothing waits for it.

    The row gives the number back: if a server left the mail out of one answer, and names it in the
    next, we ask for it again.
    """
    logger.warning("Mail in: mail #%s: %s", row.pk, GONE)
    InboundMail.objects.filter(pk=row.pk, state=State.UNFETCHED).update(
        uid=NO_UID,
        state=State.IGNORED,
        note=f"UID {row.uid}: {GONE}",
        processed_at=now,
        retry_at=None,
    )


def _tell(row: InboundMail, now: dt.datetime) -> None:
    """Tell the operators, once an hour: a disk that fails takes many mails with it."""
    alike = InboundMail.objects.filter(mailbox=row.mailbox, state=State.UNFETCHED).count()
    operators.tell(
        key=f"unfetched/{row.mailbox_id}/{now:%Y%m%d%H}",
        kind="unfetched",
        subject=f"{counted(alike, 'mail')} cannot be fetched from our mailbox",
        context={"mail": row, "number": alike, "received": local_moment(row.received_at)},
        now=now,
    )
