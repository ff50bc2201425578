"""Whose a mail is, by its address: an address that a player gave up may be another's today."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from django.db.models import Q

from games.models import Address, Player
from mailer.identity.senders import Proof

PROVED = [one.name.lower() for one in Proof if one is not Proof.NONE]
BEFORE = dt.timedelta(days=1)
"""How long before they name an address a player may already have written to us from it."""


def at_addresses(
    addresses: Iterable[Address], accounts: Sequence[Player], *, whose: str, when: str
) -> Q:
    """Return the mails that their addresses make a player's: those from the time when each address
    was theirs.

    `whose` and `when` are the columns that hold the address and the time. Mails that we wrote there
    before, or that we took for another player's, are not theirs.
    """
    found = Q(pk__in=[])
    nobodys = Q(player=None) | Q(player__in=accounts)
    for one in addresses:
        since = Q(**{f"{when}__gte": one.created_at})
        just_before = nobodys & Q(**{f"{when}__gte": one.created_at - BEFORE})
        here = Q(**{f"{whose}__in": {one.email, one.email.lower()}})
        found |= here & (since | just_before)
    return found


def others_than(accounts: Sequence[Player]) -> Q:
    """Return the mails that are another player's, whatever their address."""
    return Q(player__isnull=False) & ~Q(player__in=accounts)
