"""Whether a mail for which its writer's domain vouches was written to us, and recently.

A signature stays valid whoever passes the mail on. Suppose an ally sends somebody a signed letter
with orders in it, and they put it into our mailbox: it would order for the ally. So the mail has to
name one of our addresses in To or Cc, and be fresh. If the domain vouches by signatures, these have
to cover the Date and the header that names us: otherwise somebody could have added both. A reply
address that fell into other hands does not turn a letter to them into one to us.
"""

from __future__ import annotations

import datetime as dt

from mailer.letter import Letter
from mailer.outbound import addresses
from mailer.reading.authentication import names
from mailer.reading.headers import Signature

FRESH = dt.timedelta(days=3)
"""How long a mail may be on its way. Servers try for up to five days; after this time we ask."""
AHEAD = dt.timedelta(days=1)
"""How far ahead a writer's clock may be, or their time zone wrong."""

NOT_TO_US = (
    "it was not addressed to us: our address is not in To or Cc, so somebody else may have "
    "passed it on"
)
NOT_FRESH = (
    "it may not have been written in the last few days, so somebody else may have sent an "
    "old mail again"
)


def was_passed_on(letter: Letter) -> bool:
    """Whether a mail to others came to a reply address of ours: whoever passes a mail on chooses
    where it is delivered, and can add a Cc that its writer did not sign."""
    field = _names_us(letter)
    return not field or (
        field == "cc" and not all(field in one.fields for one in _own_signatures(letter))
    )


def doubt(letter: Letter, received_at: dt.datetime) -> str:
    """Why a mail may have been meant for others though its domain vouches for it; "" if it was
    meant for us."""
    field = _names_us(letter)
    if not field:
        return NOT_TO_US
    signed = _own_signatures(letter)
    if not all(field in one.fields for one in signed):
        return NOT_TO_US
    fresh = is_fresh(letter.date, received_at)
    return "" if fresh and all(_is_dated(one, received_at) for one in signed) else NOT_FRESH


def _own_signatures(letter: Letter) -> list[Signature]:
    """The signatures of the sender's domain.

    One with an unreadable domain counts: it may be the very one that our mail server found valid.
    """
    domain = (letter.sender or "").rpartition("@")[2]
    return [one for one in letter.signatures if not one.domain or names(one.domain, domain)]


def _names_us(letter: Letter) -> str:
    """Which header names an address of ours: "to", "cc" or none."""
    if any(map(addresses.is_own, letter.to)):
        return "to"
    return "cc" if any(map(addresses.is_own, letter.cc)) else ""


def _is_dated(signature: Signature, received_at: dt.datetime) -> bool:
    """Whether a signature covers the Date, and was not itself made long ago."""
    made_at = signature.made_at
    return "date" in signature.fields and (made_at is None or is_fresh(made_at, received_at))


def is_fresh(at: dt.datetime | None, received_at: dt.datetime) -> bool:
    """Whether a mail can have been written then; a clock that is years out says nothing."""
    return at is not None and received_at - FRESH <= at <= received_at + AHEAD
