"""Which of a game's secrets its GM and the operators can see.

Nobody sees the orders or press of an open phase in passing. Somebody who `may_look` asks for them
on a page that tells all players (`games.services.moderation.looks`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import QuerySet

from games.models import Attendance, Game, Phase, Press
from games.queries.access.audience import is_foggy
from games.queries.access.roles import (
    Visitor,
    games_nameless,
    is_gm_of,
    is_moderator,
    is_operator,
    may_preview,
    plays_in,
)


def may_look(user: Visitor, game: Game, *, now: dt.datetime) -> bool:
    """Say whether they may ask to see what is secret until the deadline; all players hear of it.

    Operators may, and the GM if the game was made so, but nobody who plays in it.
    """
    return may_preview(user, game, now) and not plays_in(user, game)


def may_see_orders(user: Visitor, phase: Phase, *, now: dt.datetime) -> bool:
    """Say whether they may see the phase's order sets without a look.

    Once the phase is adjudicated, operators and the GM may, unless they play; moderators may when
    the game is over. A phase that was undone or closed before its orders were adjudicated keeps
    them secret until then, too.
    """
    game = phase.game
    if game.status == Game.Status.FINISHED:
        return is_operator(user) or is_gm_of(user, game, now=now) or is_moderator(user)
    if phase.outcome is None or plays_in(user, game):
        return False
    return is_operator(user) or is_gm_of(user, game, now=now)


def may_see_results(user: Visitor, phase: Phase, *, now: dt.datetime) -> bool:
    """Say whether they may see what was adjudicated: all players and the GM were mailed it."""
    if phase.outcome is None or not may_see_board(user, phase.game):
        return False
    runs_it = is_operator(user) or is_gm_of(user, phase.game, now=now)
    return runs_it or may_see_orders(user, phase, now=now)


def learns_writer(user: Visitor, press: Press) -> bool:
    """Say whether somebody who may read the press learns who wrote it, if it is fake: not if they
    play."""
    return not plays_in(user, press.game) or press.game.status == Game.Status.FINISHED


def may_see_board(user: Visitor, game: Game) -> bool:
    """Say whether the whole board may be shown to somebody who sees the game's pages in the admin:
    in fog of war, to nobody who plays in it."""
    return not (is_foggy(game) and plays_in(user, game))


def may_see_press(user: Visitor, game: Game, *, now: dt.datetime) -> bool:
    """Say whether they may see the press between the powers: once the game is over."""
    if game.status != Game.Status.FINISHED:
        return False
    return is_operator(user) or is_gm_of(user, game, now=now)


def attendance_told(readers: Iterable[Visitor]) -> QuerySet[Attendance]:
    """Return the attendance by which to tell these people how reliable a player is; it leaves out
    anonymous games in which one of them plays.

    Everybody there learns which power missed a deadline, and whoever sees whose share falls with it
    would know who plays it.
    """
    rows = Attendance.objects.all()
    for one in readers:
        rows = rows.exclude(seat__power__game__in=games_nameless(one).values("pk"))
    return rows
