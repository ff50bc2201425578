"""The time at which a game is to start, for people who sit down together.

Such a game holds no muster: everybody who has joined is reminded some hours before. If seats are
still free at the time, or the server could not start it then, the start moves by a week, and
everybody is told. A game that does not fill is closed in the end.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.db import transaction
from django.db.models import Q

from games import log
from games.events import StartMoved, StartReminded
from games.models import Event, Game
from games.queries.halts import is_halted
from games.queries.parsing.start_times import week_later
from games.queries.phases.musters import players_with_place
from games.queries.phases.start_moves import MOST_MOVES, is_last_start, start_moves
from games.queries.players.seats import seats_free
from games.services.clock.deadlines import SERVER
from games.services.clock.muster import always
from games.services.endings.ending import game_end
from games.services.setup.games import game_start
from games.services.setup.start_times import REMINDED_BEFORE, start_set

TOO_LATE = dt.timedelta(hours=1)
"""People who sat down together have gone home by then."""
NEVER_FULL = f"Seats were still free at its start {MOST_MOVES + 1} times in a row."
OUR_FAULT = "The server could not start it in time; that was our fault."


def starts_due(*, now: dt.datetime) -> list[int]:
    """Return the ids of the games that are to start, or whose players are to be reminded of it."""
    near = Q(starts_at__lte=now + REMINDED_BEFORE, start_reminded_at=None)
    waiting = Game.objects.filter(near | Q(starts_at__lte=now), status=Game.Status.FORMING)
    return list(waiting.order_by("starts_at", "pk").values_list("pk", flat=True))


@transaction.atomic
def start_proceed(
    *, game_id: int, now: dt.datetime, ready: Callable[[Game], bool] = always
) -> Event | None:
    """Start the game when it is time, or put it off by a week; or remind everybody before.

    Returns what there is to tell besides the start, if anything. Nothing happens while another
    worker has the game, the server stands still, or `ready` says that mail may still have to be
    read.
    """
    rows = Game.objects.select_for_update(skip_locked=True)
    game = rows.filter(~is_halted(), pk=game_id, status=Game.Status.FORMING).first()
    if game is None or game.starts_at is None:
        return None
    if game.starts_at > now:
        return _remind(game, now)
    if not ready(game):
        return None
    late = now > game.starts_at + TOO_LATE
    if free := seats_free(game):
        closes = is_last_start(game) and not late
        return _close(game, now) if closes else _put_off(game, free, "", now)
    if late:
        return _put_off(game, 0, OUR_FAULT, now)
    game_start(game=game, now=now)
    return None


def _remind(game: Game, now: dt.datetime) -> Event | None:
    at = game.starts_at
    if at is None or game.start_reminded_at or at - REMINDED_BEFORE > now:
        return None
    game.start_reminded_at = now
    game.save(update_fields=["start_reminded_at"])
    if not players_with_place(game):
        return None
    facts = StartReminded(at=at, free=seats_free(game), is_last=is_last_start(game))
    return log.record(game=game, facts=facts, now=now)


def _close(game: Game, now: dt.datetime) -> Event:
    return game_end(game=game, winners=[], why=NEVER_FULL, by=SERVER, now=now)


def _put_off(game: Game, free: int, why: str, now: dt.datetime) -> Event:
    start_set(game, week_later(game.start, game.timezone, now), now)
    assert game.starts_at, "a start that moves has a time"
    game.save(update_fields=["start", "starts_at", "start_reminded_at"])
    is_last = start_moves(game) + (free > 0) >= MOST_MOVES
    moved = StartMoved(to=game.starts_at, free=free, why=why, is_last=is_last)
    return log.record(game=game, facts=moved, now=now)
