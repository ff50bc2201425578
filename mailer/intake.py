"""What came from a mailbox, kept before anybody works on it; and whether all of it is here yet."""

from __future__ import annotations

import datetime as dt
import hashlib
from urllib.parse import urlsplit

from django.conf import settings

from mailer.models import InboundMail, Mailbox

FIRST_LOOK_BACK = dt.timedelta(days=7)
CLOCKS_DIFFER = dt.timedelta(minutes=5)


def mailbox_name(url: str) -> str:
    """The IMAP URL as we keep and show it: without the password, with its folder."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.username}@{parts.hostname}{port}/{parts.path.strip('/')}"


def mailbox_for(url: str) -> Mailbox:
    """The row of this mailbox; made when it is read for the first time."""
    return Mailbox.objects.get_or_create(url=mailbox_name(url))[0]


def store(
    *,
    mailbox: Mailbox,
    uidvalidity: int,
    uid: int,
    raw: bytes,
    received_at: dt.datetime,
    now: dt.datetime,
) -> bool:
    """Keep one mail; False when the same bytes are here already, under whatever UID.

    After a change of UIDVALIDITY, or when a poller died before it wrote down how far it was, the
    same mail is met again: its SHA-256 tells. The newest UID is noted, for the tidying. On the
    very first look into a mailbox, mail older than a week is kept but not worked on: a server
    that moves in does not answer the letters of the tenant before. Mail from the future, by a
    clock that is wrong, came now: else it would be late, or newer than all that follows it.
    """
    if received_at > now + CLOCKS_DIFFER:
        received_at = now
    old = mailbox.last_ok_poll is None and received_at < now - FIRST_LOOK_BACK
    sha256 = hashlib.sha256(raw).hexdigest()
    mail, new = InboundMail.objects.get_or_create(
        mailbox=mailbox,
        sha256=sha256,
        defaults={
            "uidvalidity": uidvalidity,
            "uid": uid,
            "raw": raw,
            "received_at": received_at,
            "stored_at": now,
            "state": InboundMail.State.IGNORED if old else InboundMail.State.NEW,
            "note": "It was here before this server." if old else "",
        },
    )
    if not new and (mail.uidvalidity, mail.uid) != (uidvalidity, uid):
        InboundMail.objects.filter(pk=mail.pk).update(uidvalidity=uidvalidity, uid=uid)
    return new


def note_poll(mailbox: Mailbox, begun_at: dt.datetime) -> None:
    """Write into the row (not saved) that all mail up to `begun_at` is here.

    When the last time is longer ago than an outage may last, the gap is noted, too: deadlines in
    it are moved (outages.py).
    """
    last = mailbox.last_ok_poll
    if last is not None and last >= begun_at:
        return
    if last is not None and begun_at - last > dt.timedelta(seconds=settings.OUTAGE_SECONDS):
        mailbox.gap_from, mailbox.gap_to = last, begun_at
    mailbox.last_ok_poll, mailbox.failing_since = begun_at, None


def note_failure(url: str, now: dt.datetime) -> None:
    """Write down since when the mailbox cannot be read."""
    mailbox = mailbox_for(url)
    Mailbox.objects.filter(pk=mailbox.pk, failing_since=None).update(failing_since=now)


def barrier(*, due_at: dt.datetime, settle: dt.timedelta = dt.timedelta(0)) -> bool:
    """Whether every mail received up to `due_at` has been read, so that nobody's orders miss.

    True when every mailbox was read completely by a poll that began `settle` after `due_at` or
    later (mails need a moment from our mail exchanger into the mailbox), and no mail received up
    to `due_at` is still to be worked on. While a mailbox is down, a deadline waits.
    """
    names = {mailbox_name(url) for url in settings.IMAP_URLS}
    read = Mailbox.objects.filter(url__in=names, last_ok_poll__gte=due_at + settle)
    if read.count() < len(names):
        return False
    waiting = InboundMail.objects.filter(state=InboundMail.State.NEW, received_at__lte=due_at)
    return not waiting.exists()
