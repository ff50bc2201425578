"""Let the clock of a paused game run again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.admin.acting import Done, Typed
from games.admin.actions.base import (
    Action,
    Group,
    OptionalReason,
    Status,
    from_now,
    phase_of,
    title_of,
    told,
)
from games.board import step_of
from games.deadlines import after_pause
from games.models import Game
from games.pace import pace_of
from games.services.deadlines import game_resume


class Resume(Action):
    name = "resume"
    label = "Resume"
    what = "End the pause: the clock runs again."
    group = Group.TIME
    when = frozenset({Status.PAUSED})
    questions = OptionalReason

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(game)
        said = [f"The clock of {game.name} runs again. Everybody has the time that was left."]
        if phase.overdue_at:
            said = [f"{game.name} goes on waiting for missing orders of {title_of(phase)}."]
        elif phase.due_at and game.paused_at:
            step = step_of(phase.name)
            due_at = after_pause(pace_of(game), step, phase.due_at, game.paused_at, now)
            said += [f"{title_of(phase)} is due {from_now(due_at, now)}."]
        return [*said, told(game)]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        game_resume(game=game, why=typed["why"], by=by, now=now)
        return Done(f"The clock of {game.name} runs again.")
