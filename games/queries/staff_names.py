"""What one of the staff is called: by players, who may not read an address, and by each other."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.db.models import Q

from games.models import Game
from games.queries.roles import MODERATOR, co_gms_of, is_gm_of, is_moderator

THE_GM = "the GM"
OPERATOR = "the operator"
"""Whoever has the shell of the server: no account says who."""


def own_name(user: User) -> str:
    """Return the name that one of the staff goes by, "" if they have given none.

    Players read it. A user name is what somebody signs in with, and nobody may give away an
    address.
    """
    name = user.get_full_name()
    return "" if holds_address(name) else name


def staff_name(user: User) -> str:
    """Return how staff know one of their own: by name, or else by their user name.

    Players read `name_shown`, because a user name may be an address.
    """
    return user.get_full_name() or user.get_username()


def name_shown(user: User) -> str:
    """Return how players know one of the staff: by name, or else by their role.

    Moderators and operators without a name are told apart by their user names.
    """
    if name := own_name(user):
        return name
    if Game.objects.filter(gm_id=user.pk).exists():
        return THE_GM
    return _without_name(user)


def name_in_game(user: User, game: Game, *, now: dt.datetime) -> str:
    """Return how the players of a game know one of the staff who acts in it.

    Only those who run this game are called its GM, not a nameless moderator who runs another.
    """
    if name := own_name(user):
        return name
    return THE_GM if is_gm_of(user, game, now=now) else _without_name(user)


def _without_name(user: User) -> str:
    if not holds_address(user.get_username()):
        return user.get_username()
    return "a moderator" if is_moderator(user) else "whoever runs the server"


def holds_address(name: str) -> bool:
    """Say whether a name is, or holds, a mail address."""
    return "@" in name


def without_address(by: str) -> str:
    """Return who did something, in words for players: old events may contain the GM's address."""
    return THE_GM if holds_address(by) else by


def is_not_the_gm(by: str, game: Game, *, now: dt.datetime) -> bool:
    """Say whether the member of the staff with this name does not run the game: a moderator or an
    operator."""
    gms = [*([game.gm] if game.gm else []), *(one.user for one in co_gms_of(game, now))]
    if by in {THE_GM, *map(name_shown, gms)}:
        return False
    keeps = Q(groups__name=MODERATOR) | Q(is_superuser=True)
    staff = User.objects.filter(keeps, is_active=True).distinct()
    return by in {own_name(one) or _without_name(one) for one in staff}
