"""Accounts in the admin: a player's, with the games that they run, and the moderators'."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from games.models import Address, Game, Player
from games.queries.access.roles import MODERATOR, is_run_by, own_games
from games.queries.lookup import everyone_in


def user_under(email: str) -> User | None:
    """Return the one open account in the admin with this address, in upper or lower case, or
    None."""
    found = list(User.objects.filter(email__iexact=email, is_active=True)[:2])
    return found[0] if len(found) == 1 else None


def moderators() -> QuerySet[User]:
    """Return the moderators who can be written to."""
    users = User.objects.filter(groups__name=MODERATOR, is_active=True)
    return users.exclude(email="").order_by("pk")


def users_of(player: Player) -> QuerySet[User]:
    """Return the accounts in the admin that are the player's: linked to them, or with an address
    that they confirmed; not closed ones."""
    is_them = Q(pk__in=[one.user_id for one in everyone_in(player) if one.user_id])
    confirmed = Address.objects.filter(player__in=everyone_in(player), confirmed_at__isnull=False)
    for email in confirmed.values_list("email", flat=True):
        is_them |= Q(email__iexact=email)
    return User.objects.filter(is_them, is_active=True).order_by("pk")


def names_run_by(player: Player, now: dt.datetime) -> list[str]:
    """Return the names of the games that are not over and that a player now runs, as their GM or
    beside them, even as a deputy for a few days."""
    games = [own_games(user, now=now) for user in users_of(player)]
    going = [game.name for of in games for game in of.exclude(status=Game.Status.FINISHED)]
    return sorted(set(going))


def has_run_any(player: Player) -> bool:
    """Say whether the player runs a game that is not over, or has done so."""
    games = Game.objects.filter(is_run_by(users_of(player)))
    return games.exclude(status=Game.Status.FINISHED).exists()
