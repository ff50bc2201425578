"""Where a mail lies in a mailbox."""

from __future__ import annotations

from dataclasses import dataclass

from mailer.models import Mailbox


@dataclass(frozen=True, slots=True)
class Place:
    """A mail's place in a mailbox, as its server numbers it (RFC 3501, 2.3.1.1)."""

    mailbox: Mailbox
    uidvalidity: int
    """It changes when the server numbers all mails again."""
    uid: int
