"""The games that a player runs."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q

from games.models import Game, Player
from games.queries.roles import is_run_by


def names_run_by(player: Player) -> list[str]:
    """Return the names of the games that are not over and that a player runs, as their GM or beside
    them, were it as a deputy for some days."""
    is_them = Q(pk=player.user_id)
    for address in player.addresses.filter(confirmed_at__isnull=False):
        is_them |= Q(email__iexact=address.email)
    users = User.objects.filter(is_them, is_active=True)
    going = Game.objects.filter(is_run_by(users)).exclude(status=Game.Status.FINISHED)
    return list(going.order_by("name").values_list("name", flat=True))
