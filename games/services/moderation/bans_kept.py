"""A ban that outlives its player's data: a code of each address stays, and nothing else.

The same holds for an address that a player has us forget while they may not play.

The code is HMAC-SHA256(SECRET_KEY, address): nobody can read an address back from the database, or
try out addresses on it without the server's key. We compare it with each address that somebody
confirms, and delete it when the ban or suspension ends.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
from collections.abc import Iterable

from django.conf import settings
from django.db.models import Q

from games.bans import why_barred
from games.models import BarredAddress, Player


def bans_keep(*, player: Player, emails: Iterable[str], now: dt.datetime) -> None:
    """Keep the codes of these addresses, which are forgotten now, if the player may not play."""
    if why_barred(player, now=now):
        for email in emails:
            BarredAddress.objects.update_or_create(
                digest=digest(email), defaults={"player": player}
            )


def bans_forget(player: Player) -> None:
    """Forget the codes kept for this player, and those of the addresses that they have."""
    emails = player.addresses.values_list("email", flat=True)
    BarredAddress.objects.filter(
        Q(player=player) | Q(digest__in=[digest(email) for email in emails])
    ).delete()


def bans_expire(*, now: dt.datetime) -> int:
    """Forget the codes whose suspension is over; return how many."""
    over = BarredAddress.objects.filter(player__banned_at=None)
    held = Q(player__suspended_until__gt=now)
    return over.exclude(held).delete()[0]


def barred_owner(email: str, *, now: dt.datetime) -> Player | None:
    """Return the player, or what is left of them, who had this address and still may not play."""
    row = BarredAddress.objects.select_related("player").filter(digest=digest(email)).first()
    return row.player if row and why_barred(row.player, now=now) else None


def digest(email: str) -> str:
    """Return the code of an address, in capitals or not."""
    text = f"barred-address:{email.strip().lower()}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), text, hashlib.sha256).hexdigest()
