"""The address at which we surely reach a player: we have written there for a week at least.

Whoever has any address of a player's can have us write to another one: somebody with an address
that the player no longer uses, or has just been tricked into adding. For a week nobody can take
the settled address away, and nothing that cannot be undone is done for the other one.
"""

from __future__ import annotations

import datetime as dt

from games.models import Address, Player

SETTLES = dt.timedelta(days=7)
"""How long an address of record that gave way to another can take that back."""


def address_settled(player: Player, now: dt.datetime) -> Address | None:
    """Return the address of record, or the one that gave way to it less than a week ago."""
    gave_way = player.addresses.filter(gave_way_at__gt=now - SETTLES, of_record=False)
    return gave_way.order_by("gave_way_at").first() or player.record


def record_at(player: Player, at: dt.datetime) -> Address | None:
    """Return the address of record that the player had then, if it was settled: what they asked for
    goes there, even if somebody has us write elsewhere before it leaves."""
    gave_way = player.addresses.filter(gave_way_at__gte=at, of_record=False)
    return gave_way.order_by("gave_way_at").first() or player.record
