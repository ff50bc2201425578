"""Observers: they are told what everybody may know of a game, and can do nothing in it."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games.errors import NotAllowed, WrongState
from games.models import Game, Observer, Player, Seat
from games.queries.access.audience import Audience, shows_board
from games.queries.players.seats import PLAYED, has_seat
from games.services.common import lock_game, require_confirmed

MOST_GAMES = 20


@transaction.atomic
def observe(*, game: Game, player: Player, now: dt.datetime) -> Observer:
    """Let a player follow a game. Done again, it changes nothing.

    Raises NotAllowed when the game may not be observed, the player has a seat in it, has not
    confirmed their address, or observes too many games; WrongState when it is over.
    """
    game = lock_game(game)
    _require_may_observe(game, player)
    found = Observer.objects.filter(game=game, player=player, until=None).first()
    return found or Observer.objects.create(game=game, player=player, since=now)


@transaction.atomic
def observe_no_more(*, game: Game, player: Player, now: dt.datetime) -> None:
    """Stop following a game. Raises WrongState for a game that they do not follow."""
    game = lock_game(game)
    mine = Observer.objects.filter(game=game, player=player, until=None)
    if not mine.update(until=now):
        raise WrongState(f"You do not observe the game {game.name}, so nothing has changed.")


@transaction.atomic
def observe_nothing(*, player: Player, now: dt.datetime) -> list[Game]:
    """Stop following all games that the player follows; return them in the order of locks."""
    mine = Observer.objects.filter(player=player, until=None)
    games = Game.objects.select_for_update().filter(pk__in=mine.values("game")).order_by("pk")
    ended = list(games)
    mine.filter(game__in=ended).update(until=now)
    return ended


def observers_of(game: Game) -> list[Observer]:
    """Return who follows the game and has no seat in it, by since when.

    Somebody who takes a seat later gets mails as a player only.
    """
    if not shows_board(game, Audience.EVERYBODY):
        return []
    seated = Seat.objects.filter(power__game=game, until=None).values("player")
    watchers = Observer.objects.filter(game=game, until=None).exclude(player__in=seated)
    by_age = watchers.select_related("player").order_by("since", "id")
    return list(by_age.prefetch_related("player__addresses"))


def games_observed(player: Player) -> list[Game]:
    """Return the games that the player follows now, those they began to follow last first."""
    mine = Observer.objects.filter(player=player, until=None).select_related("game")
    running = mine.filter(game__status__in=PLAYED)
    return [one.game for one in running.order_by("-since", "-id")]


def observes(game: Game, player: Player) -> bool:
    """Say whether the player follows the game."""
    return any(one.player_id == player.pk for one in observers_of(game))


def _require_may_observe(game: Game, player: Player) -> None:
    if game.status == Game.Status.FINISHED:
        raise WrongState(f"The game {game.name} is over: there is nothing left to observe.")
    if not shows_board(game, Audience.EVERYBODY):
        raise NotAllowed(f"The game {game.name} is for its players only: it cannot be observed.")
    require_confirmed(player, "Then write OBSERVE again.")
    if has_seat(game, player):
        raise NotAllowed(f"You play in the game {game.name}, so you are told everything anyway.")
    if Observer.objects.filter(player=player, until=None).exclude(game=game).count() >= MOST_GAMES:
        raise NotAllowed(f"You already observe {MOST_GAMES} games. Please leave one of them first.")
