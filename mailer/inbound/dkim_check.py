"""Our own check of DKIM signatures (RFC 6376), for mailboxes whose server vouches for nobody.

It needs the DNS, which may be slow: so we do it before we work on a mail, outside any transaction,
and write down the result. A signature counts only if it leaves nothing open. It has to come from
the sender's own domain and cover the whole text, the sender, the recipient, the subject and the
Message-ID, each of which stands there once; and the mail has to be addressed to us. Otherwise
anybody could send us a signed mail meant for somebody else, or a changed one, as if its writer had.
"""

from __future__ import annotations

import datetime as dt
import email
import logging
from collections.abc import Iterator
from email.message import Message

import dkim
from django.contrib.auth.models import User
from dkim.dnsplug import get_txt

from games.queries import lookup
from mailer.models import InboundMail
from mailer.outbound import addresses
from mailer.reading.authentication import names
from mailer.reading.headers import is_plain, strict_sender, to_or_cc

logger = logging.getLogger(__name__)

LARGEST = 1024 * 1024
LONGEST_HEADER = 64 * 1024
MOST_SIGNATURES = 2
DNS_SECONDS = 2
SHORTEST_KEY = 1024
"""Bits of an RSA key (RFC 8301, 3.2)."""

_COVERED = frozenset({b"from", b"to", b"subject", b"message-id"})


def note_signatures(*, mail_id: int, now: dt.datetime) -> None:
    """Note, once, whose valid signatures a mail has; call this outside of transactions.

    We check only mail from people we know, so that no stranger can use this, or make us ask the
    DNS.
    """
    unseen = InboundMail.objects.filter(pk=mail_id, dkim_checked_at=None)
    raw = unseen.values_list("raw", flat=True).first()
    if raw is None:
        return
    found = " ".join(signers(bytes(raw)))
    InboundMail.objects.filter(pk=mail_id).update(dkim_checked_at=now, signed_by=found[:255])


def signers(raw: bytes) -> list[str]:
    """The domains whose valid signatures vouch for the sender of this mail."""
    head = raw[: LONGEST_HEADER + 4].replace(b"\r\n", b"\n")
    if len(raw) > LARGEST or b"\n\n" not in head or b"dkim-signature:" not in head.lower():
        return []
    message = email.message_from_bytes(head.partition(b"\n\n")[0])
    sender = strict_sender(message) if is_plain(raw) else None
    if sender is None or not _is_to_us(message) or not _is_known(sender):
        return []
    return list(_valid(raw, sender.rpartition("@")[2]))


def _is_known(sender: str) -> bool:
    """Whether a player or a game master has this address."""
    if lookup.player_by_address(sender):
        return True
    return User.objects.filter(email__iexact=sender, is_active=True).exists()


def _is_to_us(message: Message) -> bool:
    """Whether each field that must be signed stands there once, and we are the recipient."""
    counts = [len(message.get_all(name.decode()) or []) for name in _COVERED]
    to = to_or_cc(message, "To")
    return all(count == 1 for count in counts) and any(map(addresses.is_own, to))


def _valid(raw: bytes, domain: str) -> Iterator[str]:
    for number in range(MOST_SIGNATURES):
        try:
            check = dkim.DKIM(raw, minkey=SHORTEST_KEY, timeout=DNS_SECONDS)
            if not (prepared := check.verify_headerprep(number)):
                return
            signed_by = check.domain.decode("ascii").lower()
            complete = b"l" not in prepared[0] and set(prepared[1]) >= _COVERED
            if complete and names(signed_by, domain) and check.verify(number, dnsfunc=get_txt):
                yield signed_by
        except Exception as error:  # whatever a stranger's header does to the library
            logger.info("A signature of %s cannot be used: %s", domain, type(error).__name__)
