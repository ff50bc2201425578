"""Sends no domain more mails than it takes: a limit a minute that grows from day to day, and a rest
for a domain that puts mail off again and again.

The limit holds for all machines together. It never holds back receipts, though they count. Each
process finds out for itself, soon enough, which domains put us off.
"""

from __future__ import annotations

import datetime as dt
import logging
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Case, F, Q, When

from mailer.models import DomainPace, OutboundMail

logger = logging.getLogger(__name__)

WARM_UP = dt.timedelta(days=14)
"""After this time the limit applies in full. Until then it grows each day, since a provider does
not know us yet."""
MINUTE = dt.timedelta(minutes=1)
NOT_AT_ALL = dt.timedelta(0)
PATIENCE = 3
"""If this many mails in a row are put off, the others to that domain wait."""
PAUSES = 4
"""How many times as long as a single mail a domain rests at first: that makes a minute."""
LONGEST = 900.0
"""Seconds for which a domain rests at most."""


@dataclass(slots=True)
class _Slow:
    """How many mails in a row a domain put off, and until when it rests."""

    times: int = 0
    until: dt.datetime | None = None


_slow: dict[str, _Slow] = {}


def domain_of(email: str) -> str:
    """Return the part of an address that says whose server it is."""
    return email.rpartition("@")[2].lower()


def wait(mail: OutboundMail, now: dt.datetime) -> dt.timedelta:
    """Return how long a mail has to wait for its domain; nothing if it may go, and then it is
    counted."""
    domain = domain_of(mail.recipient)
    slow = _slow.get(domain)
    if slow and slow.until and slow.until > now:
        return slow.until - now
    most = settings.DOMAIN_MAILS_PER_MINUTE
    is_receipt = mail.priority == OutboundMail.Priority.RECEIPT
    if not most or _count_if_room(domain, most, now, is_receipt=is_receipt):
        return NOT_AT_ALL
    return _minute(now) + MINUTE - now


def allowed_a_minute(most: int, since: dt.datetime, now: dt.datetime) -> int:
    """Return how many mails a minute a domain gets if we have been writing to it since then."""
    days = (now - since) // dt.timedelta(days=1) + 1
    return max(1, min(most, most * days * dt.timedelta(days=1) // WARM_UP))


def _count_if_room(domain: str, most: int, now: dt.datetime, *, is_receipt: bool) -> bool:
    """Count a mail to this domain; if it has had enough this minute, return False without
    counting."""
    minute = _minute(now)
    row, _ = DomainPace.objects.get_or_create(
        domain=domain, defaults={"since": now, "minute": minute}
    )
    rows = DomainPace.objects.filter(pk=row.pk)
    if not is_receipt:
        rows = rows.filter(~Q(minute=minute) | Q(sent__lt=allowed_a_minute(most, row.since, now)))
    sent = Case(When(minute=minute, then=F("sent") + 1), default=1)
    return bool(rows.update(sent=sent, minute=minute))


def _minute(now: dt.datetime) -> dt.datetime:
    return now.replace(second=0, microsecond=0)


def note_taken(mail: OutboundMail) -> None:
    """Note that a mail was taken: its domain may have the next at once."""
    _slow.pop(domain_of(mail.recipient), None)


def note_deferred(mail: OutboundMail, *, now: dt.datetime) -> None:
    """Note that a mail was put off. After several in a row its domain rests, each time longer."""
    domain = domain_of(mail.recipient)
    slow = _slow.setdefault(domain, _Slow())
    slow.times += 1
    if slow.times >= PATIENCE:
        first = PAUSES * settings.MAIL_RETRY_SECONDS
        rest = min(first * 2 ** min(slow.times - PATIENCE, 20), LONGEST)
        slow.until = now + dt.timedelta(seconds=rest)
        logger.warning("Mail out: a domain puts mail off, others to it wait for %.0f s", rest)


def forget() -> None:
    """Begin again, like a process that has just started."""
    _slow.clear()
