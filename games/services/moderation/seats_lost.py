"""The seats and places that players lose who are banned, are suspended, or leave the server."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import Q, QuerySet

from games.bans import why_barred
from games.models import Application, Conduct, Game, Observer, Offer, Player, Seat
from games.queries.access.roles import is_run_by
from games.queries.access.run_by import users_of
from games.queries.players.places import places_of
from games.queries.players.seats import PLAYED, is_alive
from games.services.seating.joining import player_withdraw
from games.services.seating.seats import seat_vacate
from games.services.seating.standby import standby_leave

MAY_NOT_PLAY = "The moderators decided that its player may not play on."
PLAYS_ANOTHER = "Its player has another power of this game."
NOBODY_KNOWS, THE_MODERATORS = "Its player does not play on.", "the moderators"
"""The reason that players of an anonymous game read, and its source, whatever they really are."""


def bar_enforce(*, player: Player, by: str, now: dt.datetime) -> None:
    """Take from a player who is suspended or banned what such players cannot keep: an account
    merged with theirs has brought the ban, or the seats. The caller holds the player's row."""
    if player.banned_at:
        seats_give_up(player=player, why=MAY_NOT_PLAY, by=by, now=now)
    elif why_barred(player, now=now):
        keep_out(player, by=by, now=now)


def banned_vacate(*, game: Game, by: str, now: dt.datetime) -> None:
    """Open the seats that banned and erased players still have: because their powers live again, or
    because a phase of an anonymous game is over.

    Players of an anonymous game learn only that a power lost its player, and only some time after
    the decision: if seats in two games opened at once, and for the same reason, everybody would
    know that one player had both. The caller holds the game's lock.
    """
    why, by = (NOBODY_KNOWS, THE_MODERATORS) if game.anonymous else (MAY_NOT_PLAY, by)
    _vacate(seats_of_the_gone(game), why, by, now)


def seats_of_the_gone(game: Game) -> QuerySet[Seat]:
    """Return the running seats of players who are banned or erased. They keep seats of a game that
    is over and of eliminated powers, and in an anonymous game any seat until the phase is over."""
    gone = Q(player__banned_at__isnull=False) | Q(player__erased_at__isnull=False)
    seats = Seat.objects.filter(gone, power__game=game, until=None)
    return seats.select_related("power__game").order_by("pk")


def doubles_vacate(*, game: Game, living: Collection[str], by: str, now: dt.datetime) -> None:
    """Leave to each player one power of a game that is played again. The caller holds its lock."""
    why, by = (NOBODY_KNOWS, THE_MODERATORS) if game.anonymous else (PLAYS_ANOTHER, by)
    _vacate(seats_too_many(game, living), why, by, now)


def seats_too_many(game: Game, living: Collection[str]) -> list[Seat]:
    """Return the running seats of `living` powers that their players hold besides their first:
    accounts that were merged after the game was over may both have played in it."""
    seats = Seat.objects.filter(power__game=game, power__name__in=living, until=None)
    seats = seats.exclude(pk__in=seats_of_the_gone(game))
    first: dict[int, Seat] = {}
    in_order = seats.select_related("power__game").order_by("since", "power__name")
    return [seat for seat in in_order if first.setdefault(seat.player_id, seat) != seat]


@transaction.atomic
def seats_give_up(*, player: Player, why: str, by: str, now: dt.datetime) -> None:
    """Open all seats of a player who is leaving the server, as a ban does, and give back their
    places in games that have not started. `why` is read by everybody in these games, unless they
    are anonymous."""
    keep_out(player, by=by, now=now)
    _vacate(seats_to_open(player), why, by, now)


def seats_played(player: Player) -> list[Seat]:
    """Return the player's running seats, by game: games are locked in this order."""
    seats = Seat.objects.filter(player=player, until=None, power__game__status__in=PLAYED)
    return list(seats.select_related("power__game", "player").order_by("power__game", "pk"))


def seats_to_open(player: Player) -> list[Seat]:
    """Return the seats that open at once when the player leaves or is banned."""
    return [seat for seat in seats_played(player) if not seat.power.game.anonymous]


def _vacate(seats: Iterable[Seat], why: str, by: str, now: dt.datetime) -> None:
    for seat in seats:
        if is_alive(seat.power):
            seat_vacate(game=seat.power.game, power=seat.power, why=why, by=by, now=now)


def lock_games_of(*players: Player) -> None:
    """Lock all games that these players are in, run, observe or are offered a seat in, in the order
    of locks.

    Code that then changes them, in any order, cannot run into somebody halfway.
    """
    joined = Application.objects.filter(player__in=players, withdrawn_at=None)
    seated = Seat.objects.filter(player__in=players, until=None)
    offered = Offer.objects.filter(player__in=players, end="")
    observed = Observer.objects.filter(player__in=players, until=None)
    theirs = (
        Q(pk__in=joined.values("game"))
        | Q(pk__in=seated.values("power__game"))
        | Q(pk__in=offered.values("power__game"))
        | Q(pk__in=observed.values("game"))
    )
    for player in players:
        theirs |= is_run_by(users_of(player))
    games = Game.objects.exclude(status=Game.Status.FINISHED).filter(theirs)
    list(games.select_for_update().order_by("pk"))


def keep_out(player: Player, *, by: str, now: dt.datetime) -> None:
    """Take the player off the standby list and out of games that have not started. If they looked
    like somebody barred, no moderator needs to look any more."""
    player.conduct.filter(kind=Conduct.Kind.ALIKE, settled_at=None).update(settled_at=now)
    lock_games_of(player)
    if player.standby.filter(until=None).exists():
        standby_leave(player=player, now=now)
    for game in places_of(player):
        player_withdraw(game=game, player=player, why="", by=by, now=now)
