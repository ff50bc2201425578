"""GMs whom our mails do not reach and who have no co-GM, for the moderators' queue."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Address, CoGM, FailingUser, Game, Player
from games.models.prepared import Given
from games.queries.access.gm_accounts import gm_accounts


@dataclass(frozen=True, slots=True)
class UnreachedGM:
    """A GM from whom our mails come back."""

    user: User
    since: dt.datetime
    failure: str
    games: tuple[Game, ...]
    """Those that they alone run."""
    account: Player | None
    """Theirs as a player, where mails arrive at another address of it."""


def gms_failing(now: dt.datetime | Given) -> QuerySet[FailingUser]:
    """Return the users out of reach who alone run a game that is not over."""
    own = _games_run_alone(now).filter(gm=OuterRef("user"))
    return FailingUser.objects.filter(Exists(own), user__is_active=True)


def gms_unreached(now: dt.datetime) -> tuple[UnreachedGM, ...]:
    """Return these GMs, those out of reach longest first, with what a moderator has to know about
    them."""
    found = list(gms_failing(now).select_related("user").order_by("since", "pk"))
    if not found:
        return ()
    games = defaultdict[int | None, list[Game]](list)
    for game in (
        _games_run_alone(now).filter(gm__in=[row.user_id for row in found]).order_by("name")
    ):
        games[game.gm_id].append(game)
    accounts = _accounts(row.user for row in found)
    return tuple(
        UnreachedGM(
            row.user,
            row.since,
            row.failure,
            tuple(games[row.user_id]),
            accounts.get(row.user_id),
        )
        for row in found
    )


def is_failing(user: User) -> bool:
    """Say whether our mails to one of the staff come back."""
    return hasattr(user, "failing")


def _games_run_alone(now: dt.datetime | Given) -> QuerySet[Game]:
    """The games that are not over and where no mail reaches anybody who runs them beside their GM
    now."""
    lasting = Q(until=None) | Q(until__gt=now)
    reached = CoGM.objects.filter(user__is_active=True, user__failing=None).exclude(user__email="")
    helping = reached.filter(lasting, game=OuterRef("pk"))
    return Game.objects.exclude(status=Game.Status.FINISHED).exclude(Exists(helping))


def _accounts(users: Iterable[User]) -> dict[int, Player]:
    """The accounts of those who have one with a working address of record that is not the user's,
    by the users' keys."""
    emails = {user.pk: user.email.lower() for user in users}
    accounts = gm_accounts(User.objects.filter(pk__in=emails))
    records = Address.objects.filter(
        of_record=True, failing_since=None, player__in=accounts.values()
    )
    working = {one.player_id: one.email.lower() for one in records}
    return {
        key: player
        for key, player in accounts.items()
        if working.get(player.pk, emails[key]) != emails[key]
    }
