"""Which players a moderator may decide about: none from whose luck they might gain."""

from __future__ import annotations

from django.db.models import Exists, Q, QuerySet

from games.models import Game, Player, Seat
from games.models.prepared import Given, Query
from games.queries.access.accounts import accounts_given, accounts_of, given_of, is_player
from games.queries.access.roles import (
    Visitor,
    games_nameless,
    games_nameless_to,
    games_played,
    games_played_by,
    may_moderate,
)


def refusal_about(user: Visitor, player: Player) -> str:
    """Return why they may not decide about this player, "" if they may.

    Only moderators may, and only if they would gain nothing from it. A decision about an account
    that is part of another would not reach the person.
    """
    if not may_moderate(user):
        return "This is for the moderators."
    if whole := player.merged_into:
        return f"{player.name} is part of {whole.name} now: go to that account."
    return conflict_about(user, player)


def conflict_about(user: Visitor, player: Player) -> str:
    """Return why a moderator might gain from a decision about this player, "" if they would not."""
    if is_player(user, player):
        return "This is your own account: another moderator has to decide about it."
    if plays_with(user, player):
        return (
            f"You and {player.name} play in the same game, or both in anonymous games: another "
            "moderator has to decide."
        )
    return ""


def is_concerned(user: Visitor, player: Player) -> bool:
    """Say whether they are this player, or play with them, so that they must not read letters
    between the player and the moderators."""
    return is_player(user, player) or plays_with(user, player)


def fellows(user: Visitor) -> QuerySet[Player]:
    """Return the players of whom `is_concerned` is true."""
    seats = Seat.objects.filter(_beside(user))
    return Player.objects.filter(Q(pk__in=accounts_of(user)) | Q(pk__in=seats.values("player")))


def plays_with(user: Visitor, player: Player) -> bool:
    """Say whether both hold seats of one game that is not over, or both of anonymous ones: what we
    keep from somebody who plays in an anonymous game must not tell them who else is in it."""
    return bool(_FELLOW.all(**given_of(user), player=player.pk))


def _fellow() -> QuerySet[Seat]:
    """The seats of one player that are beside a user, as `_beside` says."""
    accounts = accounts_given()
    nameless = _IN_ANONYMOUS & Exists(games_nameless_to(accounts))
    games = Q(power__game__in=games_played_by(accounts)) | nameless
    return Seat.objects.filter(games, player=Given("player"), until=None).only("pk")


# Every page and every act about a player asks both.
_FELLOW = Query(_fellow)
_IN_ANONYMOUS = Q(power__game__anonymous=True) & ~Q(power__game__status=Game.Status.FINISHED)


def _beside(user: Visitor) -> Q:
    games = Q(power__game__in=games_played(user))
    if games_nameless(user).exists():
        games |= _IN_ANONYMOUS
    return games & Q(until=None)
