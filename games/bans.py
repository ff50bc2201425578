"""Who may take a seat: nobody who is suspended or banned, and no account merged into another.

Code that gives out seats asks here; `games.services.moderation.conduct` makes the decisions about
players.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from games.errors import NotAllowed
from games.models import Player

BANNED = (
    "You may no longer play on this server. The moderators wrote to you why; to ask them, write "
    "MODERATOR and your question."
)
SUSPENDED = (
    "You cannot take a seat until {until}. The games you play go on. The moderators wrote to you "
    "why; to ask them, write MODERATOR and your question."
)


def players_free(*, now: dt.datetime) -> QuerySet[Player]:
    """Return the players to whom a seat may be given or offered."""
    free = Player.objects.filter(banned_at=None, merged_into=None)
    return free.exclude(suspended_until__gt=now)


def players_barred(*, now: dt.datetime) -> QuerySet[Player]:
    """Return the players who may take no seat now, without accounts that are part of another."""
    barred = Q(banned_at__isnull=False) | Q(suspended_until__gt=now)
    return Player.objects.filter(barred, merged_into=None)


def why_barred(player: Player, *, now: dt.datetime) -> str:
    """Return a sentence that tells the player why they can take no seat, "" if they can."""
    if player.banned_at is not None:
        return BANNED
    if player.suspended_until is not None and player.suspended_until > now:
        local = player.suspended_until.astimezone(ZoneInfo(player.timezone))
        return SUSPENDED.format(until=f"{local:%A}, {local.day} {local:%B %Y, %H:%M}")
    return ""


def require_free(player: Player, *, now: dt.datetime) -> None:
    """Raise NotAllowed, with that sentence, if the player can take no seat now."""
    if why := why_barred(player, now=now):
        raise NotAllowed(why)


def require_seatable(player: Player, *, now: dt.datetime) -> None:
    """Raise NotAllowed, in words for somebody who wants to seat the player, if they can take no
    seat."""
    if not player.address:
        raise NotAllowed(f"{player.name} has not confirmed an address yet, and cannot be told.")
    if why_barred(player, now=now):
        raise NotAllowed(f"The moderators do not let {player.name} take a seat at present.")
