"""The row of an address; and whether mails reach it: noted when they do not, forgotten when its
owner writes again."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import Q

from games.models import Address
from games.services.common import lock_player_even_if_erased

MOST_DELAYS = 3
"""This many mails that are late, or refused for what they are, amount to a failure if none comes
from there meanwhile."""

LONGEST_FAILURE = 500
"""How many characters of a mail server's words are kept."""


def address_now(email: str) -> Address | None:
    """Return the row of this address, whoever's it is, locked until the transaction ends: what
    nobody has confirmed yet may be confirmed at this moment. Lock players before it, its owner, too
    (`lock_owner`)."""
    rows = Address.objects.select_for_update(of=("self",), no_key=True).select_related("player")
    return rows.filter(email__iexact=email).first()


def lock_owner(email: str) -> None:
    """Lock the player whose address this is, if anybody's, before the address, as everything does
    that changes a player and then their addresses."""
    if seen := Address.objects.select_related("player").filter(email__iexact=email).first():
        lock_player_even_if_erased(seen.player)


@transaction.atomic
def address_failed(*, email: str, why: str, fails: bool, at: dt.datetime) -> Address | None:
    """Note that a mail did not get to this address; `why` is what the server said. It `fails` at
    once, unless the mail is only late, or was refused for what it is.

    Returns the address if it counts as out of reach from now on, so that others are told once; None
    if nobody has it, if it was already out of reach, or if there were few such mails so far.
    """
    lock_owner(email)
    address = address_now(email)
    if address is None:
        return None
    address.failure = why[:LONGEST_FAILURE] or "no reason was given"
    if not fails:
        address.late_reports = min(address.late_reports + 1, MOST_DELAYS)
    fails = fails or address.late_reports >= MOST_DELAYS
    is_news = fails and address.failing_since is None
    if is_news:
        address.failing_since = at
    address.save(update_fields=["failure", "late_reports", "failing_since"])
    return address if is_news else None


def address_works(*, email: str, at: dt.datetime) -> bool:
    """Forget earlier failures, since its owner wrote from there `at` this time; return whether
    there were any.

    A mail that was on its way before the failure proves nothing.
    """
    before = Q(failing_since=None) | Q(failing_since__lt=at)
    troubled = Address.objects.filter(before, email__iexact=email).exclude(failure="")
    if not troubled.exists():
        return False
    lock_owner(email)
    return bool(troubled.update(failing_since=None, late_reports=0, failure=""))
