"""What one of the staff is called: by players, who may not read an address, and by each other."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.contrib.auth.models import User

from games.models import Game
from games.queries.access.roles import is_gm_of, is_moderator, may_moderate

THE_GM = "the GM"


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody on the staff who does something, under the name that readers see.

    Several may share a name such as "a moderator", so the account goes along.
    """

    name: str
    user: User | None = None


OPERATOR = Actor("the operator")
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


def name_as_moderator(user: User) -> str:
    """Return how players know one of the staff who acts as a moderator or operator. Somebody who
    wrote about a GM to the moderators must not read that this GM answers. A GM who is neither, and
    looks at something, keeps their usual name."""
    return own_name(user) or (_without_name(user) if may_moderate(user) else name_shown(user))


def name_in_game(user: User, game: Game, *, now: dt.datetime) -> str:
    """Return how the players of a game know one of the staff who acts in it.

    Only those who run this game are called its GM, not a nameless moderator who runs another.
    """
    if name := own_name(user):
        return name
    return THE_GM if is_gm_of(user, game, now=now) else _without_name(user)


def actor_in_game(user: User, game: Game, *, now: dt.datetime) -> Actor:
    """Return who does something in a game, as its players know them."""
    return Actor(name_in_game(user, game, now=now), user)


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
