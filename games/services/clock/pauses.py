"""Pausing a game and letting it go on. Its clock stands still meanwhile."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games import lifecycle, log
from games.errors import BadInput, WrongState
from games.events import GamePaused, GameResumed
from games.models import Event, Game
from games.queries import board
from games.services.clock import deadlines
from games.services.common import lock_game, phase_now
from games.timing.deadlines import after_pause
from games.timing.pace import pace_of

Status = Game.Status


@transaction.atomic
def game_pause(
    *, game: Game, until: dt.datetime | None, why: str, by: str, now: dt.datetime
) -> Event:
    """Stop the game's clock, until a time or until somebody resumes it. Orders are still taken.

    If it is already paused, only the end of the pause changes. Raises WrongState when the game is
    not being played, BadInput when `until` is not in the future.
    """
    game = lock_game(game)
    again = game.status == Status.PAUSED
    if not again:
        lifecycle.require(game, Status.ACTIVE)
        lifecycle.change_status(game, Status.PAUSED)
    if until is not None and until <= now:
        raise BadInput("A pause has to end in the future.")
    since = (again and game.paused_at) or now
    game.paused_at, game.resume_at = since, until
    game.save(update_fields=["status", "paused_at", "resume_at"])
    phase = phase_now(game)
    waits = phase.overdue_at is not None
    passed = not waits and phase.due_at is not None and phase.due_at <= since
    how = {"waits": waits, "passed": passed, "again": again}
    paused = GamePaused(phase=phase.name, until=until, why=why, by=by, **how)
    return log.record(game=phase.game, phase=phase, facts=paused, now=now)


@transaction.atomic
def game_resume(*, game: Game, why: str = "", by: str, now: dt.datetime) -> Event:
    """Let the game's clock run again: everybody has the time that was left when it stopped, or so
    much of it that the old deadline stays (`after_pause`).

    A game that waited for missing orders goes on waiting for them, and everything else that was
    sent still counts. Raises WrongState unless the game is paused.
    """
    game = lock_game(game)
    if game.status != Status.PAUSED or game.paused_at is None:
        raise WrongState(f"The game {game.name} is not paused.")
    phase, paused_at = phase_now(game), game.paused_at
    lifecycle.change_status(game, Status.ACTIVE)
    game.paused_at = game.resume_at = None
    game.save(update_fields=["status", "paused_at", "resume_at"])
    waits, how = phase.overdue_at is not None, ""
    if phase.due_at is not None and not waits:
        step = board.step_of(phase.name)
        to, how = after_pause(pace_of(game), step, phase.due_at, paused_at, now)
        deadlines.deadline_set(phase, to, now)
    resumed = GameResumed(
        phase=phase.name, due_at=phase.due_at, why=why, by=by, waits=waits, time=how
    )
    return log.record(game=phase.game, phase=phase, facts=resumed, now=now)


def games_to_resume(*, now: dt.datetime) -> list[Game]:
    """Return the paused games whose pause has come to its end."""
    return list(Game.objects.filter(status=Status.PAUSED, resume_at__lte=now).order_by("resume_at"))


@transaction.atomic
def pause_end(*, game: Game, now: dt.datetime) -> Event | None:
    """Let a game go on whose pause has come to its end; None if somebody has resumed it, or paused
    it again, in the meantime."""
    game = lock_game(game)
    if game.status != Status.PAUSED or game.resume_at is None or game.resume_at > now:
        return None
    return game_resume(game=game, by=deadlines.SERVER, now=now)
