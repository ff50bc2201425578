"""Let the clock of a paused game run again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import WhyIfYouLike
from games.acts.sentences import from_now, title_of, told
from games.board import step_of
from games.deadlines import after_pause
from games.models import Game
from games.pace import pace_of
from games.services.deadlines import game_resume


@dataclass(frozen=True, kw_only=True)
class Parameters:
    why: WhyIfYouLike = ""


class Resume(GameAct[Parameters]):
    name = "resume"
    title = "Resume"
    help = "End the pause: the clock runs again."
    group = Group.TIME
    when = frozenset({Status.PAUSED})
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(subject)
        said = [f"The clock of {subject.name} runs again. Everybody has the time that was left."]
        if phase.overdue_at:
            said = [f"{subject.name} goes on waiting for missing orders of {title_of(phase)}."]
        elif phase.due_at and subject.paused_at:
            step = step_of(phase.name)
            due_at = after_pause(pace_of(subject), step, phase.due_at, subject.paused_at, now)
            said += [f"{title_of(phase)} is due {from_now(due_at, now)}."]
        return [*said, told(subject)]

    def do(self, subject: Game, given: Parameters, *, by: str, now: dt.datetime) -> Done:
        game_resume(game=subject, why=given.why, by=by, now=now)
        return Done(f"The clock of {subject.name} runs again.")
