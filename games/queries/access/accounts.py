"""Which players somebody with an account is: those linked to it, or with its address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet, Value
from django.db.models.functions import Upper
from django.db.models.lookups import Exact

from games.models import Address, Player
from games.models.prepared import TEXT, Given, Query

Visitor = User | AnonymousUser


def accounts_of(user: Visitor) -> QuerySet[Any, Any]:
    """Return the keys of the players who are this user: linked to them, or with their address."""
    given = given_of(user)
    return _accounts(given["user"], Value(given["email"], TEXT))


def accounts_given() -> QuerySet[Any, Any]:
    """Return the same for a statement that is given a user (`given_of`)."""
    return _accounts(Given("user"), Given("email", TEXT))


def given_of(user: Visitor) -> Mapping[str, Any]:
    """Return the user as such a statement takes them; those without an address give None, which
    equals no address."""
    return {"user": user.pk or 0, "email": getattr(user, "email", "") or None}


def _accounts(user: int | Given, email: Value | Given) -> QuerySet[Any, Any]:
    """Each way to be a user has its own part of a union, so that an index finds it; with an OR the
    database would read all players."""
    linked = Player.objects.filter(user_id=user).order_by().values_list("pk")
    at = Exact(Upper("email"), Upper(email))
    theirs = Address.objects.filter(at, confirmed_at__isnull=False).order_by()
    return linked.union(theirs.values_list("player"))


def is_player(user: Visitor, player: Player) -> bool:
    """Say whether the user is this player: linked to them, or with their address."""
    return bool(_ACCOUNT.all(**given_of(user), player=player.pk))


def _account() -> QuerySet[Player]:
    """The player of one key, if a user has that account."""
    return Player.objects.filter(pk__in=accounts_given()).filter(pk=Given("player")).only("pk")


_ACCOUNT = Query(_account)
