"""Sending what is queued, each mail once.

A sender takes a few rows on lease in a short transaction (leases.py), speaks SMTP without holding a
lock, and marks what the server took (marks.py). A crash between the server's "250 OK" and the mark
sends a mail again, with the same Message-ID. SMTP always leaves this window; ours is ten mails or a
second long, or three seconds if the next mail hangs.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Iterator, Sequence

from django.conf import settings

from games.errors import fault
from games.queries.reports.drawing import DRAWING
from games.services.sick_database import is_of_the_database
from games.services.working import working_on
from mailer.models import OutboundMail
from mailer.outbound import mime, pace
from mailer.outbound.addresses import redact
from mailer.outbound.keeping import keep_lease
from mailer.outbound.leases import (
    LEASE,
    MOST,
    NOBODYS,
    PATIENCE,
    Begun,
    Due,
    give_back,
    our_lease,
    still_ours,
)
from mailer.outbound.marks import Marks, mark_left
from mailer.outbound.outdated import is_outdated
from mailer.outbound.smtp import NotSent, PutOff, Rejected, Session, Unreachable

logger = logging.getLogger(__name__)

WORKING_TIME = 180.0
"""Seconds after which a task gives back the rest of a batch. Even if all mails of a turn are slow
and the database then refuses the marks, the task ends before Celery kills its worker."""
LONGEST_PAUSE = dt.timedelta(hours=1)
GIVE_UP_AFTER = dt.timedelta(hours=48)
ATTEMPTS = 14
"""How often a mail is tried at least, however old it is: usually for six hours."""
MOST_UNREACHED = ATTEMPTS - 6
"""How many of these attempts may fall into a time without the relay: when it is back, it may put a
mail off for some hours, as it may any other."""

NEWEST = 100
"""How many of the newest sent mails we look at to see whether the relay takes any."""


def drain(*, now: dt.datetime, limit: int = 500) -> int:
    """Send what is due, receipts first, at most `limit` mails; return how many were sent.

    If the server cannot be reached, we put off everything due together with the mail that showed
    it, and give up nothing: a relay that is away for a weekend costs nobody their results. Call
    this outside of any transaction: each lease and each mark has its own. Raises DatabaseError or
    InterfaceError if the database takes no changes.
    """
    mark_left()
    begun = time.monotonic()
    end, sent, tried, due = begun + WORKING_TIME, 0, 0, Due()
    with Session(settings.EMAIL_URL) as session:
        while tried < limit and time.monotonic() < end:
            present = time.monotonic()
            lease = Begun(now + dt.timedelta(seconds=int(present - begun)), present)
            batch = due.lease(now=lease.at, limit=limit - tried)
            if not batch:
                break
            tried += len(batch)
            marks = Marks(lease.at)  # the lease is kept until the last of them is written
            try:
                with keep_lease(batch, lease, each_second=marks.write_late), marks:
                    sent += sum(send_batch(session, batch, marks, lease, end=end))
            except Unreachable as error:
                logger.warning("Mail out: %s", error)
                put_all_off(str(error), now=marks.present())
                break
    DRAWING.bury()
    return sent


def send_batch(
    session: Session,
    batch: Sequence[OutboundMail],
    marks: Marks,
    lease: Begun,
    *,
    end: float,
) -> Iterator[bool]:
    """Send each mail and have it marked; yield for each whether the server took it.

    Our `lease` of them began then. Mails that others have taken from us meanwhile are theirs.

    We give back all later mails to the recipient of one that was put off, and whatever is left
    after `end` (a monotonic clock). A mail whose domain had enough when the lease began waits for
    its turn, and so do later mails to its recipient. Raises Unreachable when the server cannot be
    reached at all; then the rest is put off.
    """
    put_off_to: set[str] = set()
    for number, mail in enumerate(batch):
        if time.monotonic() > end or mail.recipient in put_off_to:
            give_back(mail)
            continue
        present = lease.present()
        if present - lease.at > LEASE and not still_ours(mail, now=present):
            continue
        if pause := pace.wait(mail, lease.at):
            give_back(mail, not_before=lease.at + pause)
            put_off_to.add(mail.recipient)
            continue
        try:
            session.open()
        except Unreachable as error:
            for waiting in batch[number:]:
                _wait_for_relay(waiting, str(error), now=marks.present())
            raise
        state = send_one(session, mail, marks)
        if state == OutboundMail.State.QUEUED and mail.attempts <= PATIENCE:
            put_off_to.add(mail.recipient)
        yield state == OutboundMail.State.SENT


def send_one(session: Session, mail: OutboundMail, marks: Marks) -> OutboundMail.State:
    """Send one leased mail and write down the outcome; return its state afterwards."""
    with working_on(sent_mail=mail.pk):
        return _send(session, mail, marks)


def _send(session: Session, mail: OutboundMail, marks: Marks) -> OutboundMail.State:
    try:
        if is_outdated(mail, marks.now):
            drop(mail)
            return OutboundMail.State.FAILED
        session.send(mail)
    except Rejected as error:
        give_up(mail, redact(str(error)), now=marks.present())
    except NotSent as error:
        said, now = redact(str(error)), marks.present()
        if isinstance(error, PutOff):
            pace.note_deferred(mail, now=now)
        else:  # the log is read first: a server that hangs over each mail left no word there
            logger.warning("Mail out: %s", said)
        return put_off(mail, said, now=now)
    except mime.Unwritable as error:  # no retry helps
        logger.exception("Mail #%s cannot be composed", mail.pk)
        give_up(mail, str(error), now=marks.present())
    except Exception as error:  # a fault of ours, which the next release may mend
        if is_of_the_database(error):  # whatever mail it is
            raise
        logger.exception("Mail #%s broke the program", mail.pk)
        return put_off(mail, fault(error), now=marks.present())
    else:
        pace.note_taken(mail)
        marks.add(mail)
        return OutboundMail.State.SENT
    return OutboundMail.State.FAILED


def put_off(mail: OutboundMail, error: str, *, now: dt.datetime) -> OutboundMail.State:
    """Try again after a pause that doubles each time; give up after two days. Returns its state.

    A mail that waited for us, or that somebody sends again, was not tried for all of that time. Nor
    is it this mail's fault if the relay puts off others, too, and has taken none since it was
    written.
    """
    is_old = now - mail.created_at >= GIVE_UP_AFTER and mail.attempts >= ATTEMPTS
    if is_old and (not _others_put_off(mail) or _any_taken_since(mail.created_at)):
        give_up(mail, error, now=now)
        return OutboundMail.State.FAILED
    _later(mail, error, now=now)
    return OutboundMail.State.QUEUED


def _others_put_off(mail: OutboundMail) -> bool:
    """Whether a mail to anybody else waits, too.

    If not, on a server where little happens, it is this recipient who is out of reach.
    """
    waiting = OutboundMail.objects.filter(state=OutboundMail.State.QUEUED).exclude(last_error="")
    return waiting.exclude(recipient=mail.recipient).exists()


def _any_taken_since(time: dt.datetime) -> bool:
    """Whether the relay has taken any of the newest mails since this time."""
    newest = OutboundMail.objects.filter(state=OutboundMail.State.SENT).order_by("-pk")
    sent = newest.values_list("sent_at", flat=True)[:NEWEST]
    return any(at is not None and at >= time for at in sent)


def _later(
    mail: OutboundMail, error: str, *, now: dt.datetime, attempts: int | None = None
) -> None:
    tried = {} if attempts is None else {"attempts": attempts}
    not_before = now + mail_pause(mail.attempts)
    our_lease(mail).update(not_before=not_before, last_error=error, **tried, **NOBODYS)


def put_all_off(error: str, *, now: dt.datetime) -> None:
    """Put off every mail that is due: none can leave now, however long that lasts."""
    due = Due()
    while batch := due.lease(now=now, limit=MOST):
        for mail in batch:
            _wait_for_relay(mail, error, now=now)


def _wait_for_relay(mail: OutboundMail, error: str, *, now: dt.datetime) -> None:
    _later(mail, error, now=now, attempts=min(mail.attempts, MOST_UNREACHED))


def give_up(mail: OutboundMail, error: str, *, now: dt.datetime) -> None:
    """Note that the mail will not arrive, with the time of the last try; the operator can send it
    again."""
    logger.error("Mail #%s (%s) will not arrive: %s", mail.pk, mail.kind, error)
    ended = {"state": OutboundMail.State.FAILED, "not_before": now}
    our_lease(mail).update(last_error=error, **ended, **NOBODYS)


def drop(mail: OutboundMail) -> None:
    """Forget a mail that nobody should read any more."""
    logger.info("Mail #%s (%s) is out of date, so it is not sent", mail.pk, mail.kind)
    our_lease(mail).delete()


def mail_pause(attempts: int) -> dt.timedelta:
    """15, 30, 60 … seconds (settings.MAIL_RETRY_SECONDS is the first), at most an hour.

    A relay that restarts is back by the first or second. A greylisting server counts from the first
    attempt, and does not mind those that come too early.
    """
    first = dt.timedelta(seconds=settings.MAIL_RETRY_SECONDS)
    return min(first * (1 << min(attempts - 1, 20)), LONGEST_PAUSE)


def pause_after(attempts: int) -> dt.timedelta:
    """1, 2, 4 … minutes, at most an hour, before we try again after a fault of ours."""
    return mail_pause(attempts + 2)
