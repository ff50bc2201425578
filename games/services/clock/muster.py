"""The muster: before the first phase all players say that they are here, or lose their places.

A game that dies in its first year usually has a player who joined long ago and no longer reads
mail. So when the last place is taken, a game may first ask everybody who joined whether they are
here. When all have said so it starts at once; at the end of the muster the silent ones lose their
places, and the game looks for players again. Powers are dealt only at the start, so nobody has
learnt theirs before.

Players whom the GM has seated are not asked; nor is the one who joined last, who has just shown
that they are here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection

from django.db import transaction
from django.db.models import Q

from games import lifecycle, log
from games.errors import WrongState
from games.events import MusterBegun, MusterFailed, MusterReminded
from games.models import Event, Game, Player
from games.queries.halts import is_halted
from games.queries.phases.musters import mustered_places, silent_players
from games.queries.players.seats import seats_free
from games.services.common import lock_game
from games.services.seating.invitations import require_not_kept_out
from games.services.setup.games import game_start, require_full
from games.timing.clock import whole_second
from games.timing.deadlines import AT_LEAST

Status = Game.Status
ANEW = "They have the whole time again, because our question could not be sent to them in time."


def always(game: Game) -> bool:
    """Every muster may end: the check of callers that have none of their own."""
    return True


def nobody(game: Game) -> Collection[int]:
    """Everybody was asked: the answer of callers who cannot know."""
    return ()


@transaction.atomic
def game_begin(*, game: Game, now: dt.datetime, here: Player | None = None, by: str = "") -> Game:
    """Start a game whose places are taken; one that musters asks its players first.

    `here` has just written and is not asked; `by` names who starts it. A game that is mustering, or
    that has a time to start, starts without waiting any longer. Raises WrongState while places are
    free, or when the game has started.
    """
    game = lock_game(game)
    if game.status != Status.FORMING or not game.muster or game.starts_at:
        return game_start(game=game, by=by, now=now)
    require_full(game)
    lifecycle.change_status(game, Status.MUSTER)
    game.muster_until = whole_second(now + game.muster)
    _set_reminder(game, now)
    game.save(update_fields=["status", "muster_until", "muster_remind_at"])
    mustered_places(game).update(here_at=None)
    mustered_places(game).filter(player=here).update(here_at=now)
    if not silent_players(game):
        return game_start(game=game, now=now)
    log.record(game=game, facts=MusterBegun(until=game.muster_until), now=now)
    return game


@transaction.atomic
def game_filled(*, game: Game, now: dt.datetime, here: Player | None = None) -> None:
    """Begin a game whose last place was taken, unless it has a time to start: then it waits."""
    if not game.starts_at:
        game_begin(game=game, here=here, now=now)


@transaction.atomic
def player_here(*, game: Game, player: Player, now: dt.datetime) -> Game:
    """Note that the player is here; the game starts when they are the last one to say so.

    Raises WrongState when nobody is asked, or the player has no place in the game; NotAllowed if
    the GM keeps them out of it now.
    """
    game = lock_game(game)
    mine = mustered_places(game).filter(player=player)
    had_place = game.applications.filter(player=player).exclude(withdrawn_at=None)
    if game.status == Status.FORMING and had_place.exists():
        require_not_kept_out(game, player)
        raise WrongState(
            f"You have no place in the game {game.name}. It is looking for players again: write "
            f"JOIN {game.name} to take one."
        )
    if game.status != Status.MUSTER:
        raise WrongState(f"Nobody is asked just now. {lifecycle.state_sentence(game)}")
    if not mine.exists():
        raise WrongState(f"You have no place in the game {game.name}, so you need not answer.")
    mine.filter(here_at=None).update(here_at=now)
    return game if silent_players(game) else game_start(game=game, now=now)


def musters_due(*, now: dt.datetime) -> list[int]:
    """Return the ids of the games whose muster has ended, or in which somebody is reminded."""
    near = Q(muster_until__lte=now) | Q(muster_remind_at__lte=now)
    return list(
        Game.objects.filter(near, status=Status.MUSTER)
        .order_by("muster_until", "pk")
        .values_list("pk", flat=True)
    )


@transaction.atomic
def muster_proceed(
    *,
    game_id: int,
    now: dt.datetime,
    ready: Callable[[Game], bool] = always,
    unasked: Callable[[Game], Collection[int]] = nobody,
) -> Event | None:
    """End the game's muster when its time is over, or remind those who have not answered.

    Returns None when there is nothing to do: another worker has the game, the server stands still,
    it is not time yet, or `ready` says that answers may still have to be read. Players whom
    `unasked` names (by their keys) could not know of it, and keep their places; it must not name
    all who are silent.
    """
    rows = Game.objects.select_for_update(skip_locked=True)
    game = rows.filter(~is_halted(), pk=game_id, status=Status.MUSTER).first()
    if game is None or game.muster_until is None:
        return None
    if game.muster_until <= now:
        if not ready(game):
            return None
        keep = unasked(game)
        silent = [player.pk for player in silent_players(game) if player.pk not in keep]
        return muster_fail(game=game, silent=silent, now=now)
    if game.muster_remind_at is None or game.muster_remind_at > now:
        return None
    _set_reminder(game, now)
    game.save(update_fields=["muster_remind_at"])
    return log.record(game=game, facts=MusterReminded(until=game.muster_until), now=now)


def muster_fail(*, game: Game, silent: list[int], now: dt.datetime) -> Event:
    """Take their places from the silent players (their keys), and let others join.

    The caller holds the game's lock.
    """
    mustered_places(game).filter(player__in=silent).update(withdrawn_at=now)
    lifecycle.change_status(game, Status.FORMING)
    game.muster_until = game.muster_remind_at = None
    game.save(update_fields=["status", "muster_until", "muster_remind_at"])
    stay = list(mustered_places(game).order_by("pk").values_list("player", flat=True))
    return log.record(
        game=game,
        facts=MusterFailed(silent=tuple(silent), stay=tuple(stay), free=seats_free(game)),
        now=now,
    )


def latest_question(game: Game) -> dt.datetime | None:
    """Return the latest moment at which players can be asked and still answer in time: the start of
    the muster's last tenth. None while nobody is asked."""
    return game.muster_until and game.muster_until - game.muster * AT_LEAST


def muster_longer(*, game: Game, now: dt.datetime) -> Event:
    """Give the silent players the whole time once more, because our question went out too late;
    they are reminded, and the GM is told. The caller holds the game's lock."""
    until = game.muster_until = whole_second(now + game.muster)
    _set_reminder(game, now)
    game.save(update_fields=["muster_until", "muster_remind_at"])
    return log.record(game=game, facts=MusterReminded(until=until, why=ANEW), now=now)


def _set_reminder(game: Game, now: dt.datetime) -> None:
    """The next reminder: after half of the time, and once more after half of the rest."""
    assert game.muster_until, "a game that musters does so until a time"
    left = game.muster_until - now
    game.muster_remind_at = game.muster_until - left / 2 if left > game.muster / 4 else None
