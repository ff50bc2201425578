"""The players' accounts of game masters, through which a moderator can write to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.contrib.auth.models import User
from django.db.models.functions import Upper

from games.models import Address, Player


def gm_accounts(gms: Iterable[User | None]) -> Mapping[int, Player]:
    """Return the accounts of those GMs who have one, by the users' keys: the account linked to
    them, or else the one with their address. It takes two queries, however many GMs there are."""
    users = {gm.pk: gm for gm in gms if gm}
    linked = Player.objects.filter(user__in=users, merged_into=None)
    own = {player.user_id: player for player in linked if player.user_id}
    keys = {user.email.upper(): pk for pk, user in users.items() if user.email}
    written = Address.objects.alias(upper=Upper("email")).filter(upper__in=keys)
    confirmed = written.filter(confirmed_at__isnull=False).select_related("player")
    return {keys[one.email.upper()]: one.player for one in confirmed} | own
