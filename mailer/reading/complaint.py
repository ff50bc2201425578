"""A reader called a mail of ours spam, and their provider reports it (RFC 5965, the ARF format).

Nothing here decides whether to believe a complaint: see mailer/inbound/complaints.py.
"""

from __future__ import annotations

import dataclasses
from email.message import Message

from mailer.reading.clean import clean_line
from mailer.reading.headers import header
from mailer.reading.report import parts_of, returned_to

_KINDS = ("abuse", "fraud", "virus", "other", "opt-out", "opt-out-list")
"""From RFC 5965, 7.3, and from what large providers send as well. `not-spam` (RFC 6430) complains
of nothing, nor do `auth-failure` (RFC 6591) and `dmarc`: nobody clicked anything there."""
_LONGEST = 80


@dataclasses.dataclass(frozen=True)
class Complaint:
    """A complaint about a mail."""

    kind: str
    """The Feedback-Type."""
    agent: str
    """The program that reports it."""
    mail_from: str
    """The mail's envelope sender as the provider gives it; empty if they have taken it out."""
    returned_to: str
    """The mail's envelope sender as its own header has it; empty if the provider has taken it
    out."""


def complaint_in(message: Message) -> Complaint | None:
    """Return the complaint that a mail brings; None for any other mail."""
    if message.get_content_type() != "multipart/report":
        return None
    parts = list(parts_of(message))
    facts = next((found for part in parts if (found := _facts(part))), None)
    if facts is None:
        return None
    kind = header(facts, "Feedback-Type").strip().lower()
    if kind not in _KINDS:
        return None
    return Complaint(
        kind=kind,
        agent=clean_line(header(facts, "User-Agent"))[:_LONGEST],
        mail_from=header(facts, "Original-Mail-From").strip(" <>").lower(),
        returned_to=returned_to(parts),
    )


def _facts(part: Message) -> Message | None:
    """The fields of a feedback report: a part of the mail whose body is nothing but fields."""
    payload = part.get_payload()
    if part.get_content_type() != "message/feedback-report" or not isinstance(payload, list):
        return None
    return next((one for one in payload if isinstance(one, Message)), None)
