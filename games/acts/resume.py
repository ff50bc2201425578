"""Let the clock of a paused game run again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import WhyIfYouLike
from games.acts.sentences import from_now, title_of, who_is_told
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.board import step_of
from games.queries.players.seats import is_alive, running_seat
from games.services.clock.pauses import game_resume
from games.timing.deadlines import Afterwards, after_pause
from games.timing.pace import pace_of

AFTERWARDS: Mapping[Afterwards, str] = {
    "stays": "The deadline stays as it was: nearly all the time that was left is still left.",
    "left": "Everybody has the time that was left when the game was paused.",
    "regular": "That is the game's next regular deadline, and nobody has less time than was left.",
    "day_off": "Everybody has the time that was left, and more, for nothing is due on a day off.",
    "passed": "The old deadline had passed before the pause, so there is a new one.",
}
"""What deadline everybody has after a pause, for each way in which `deadlines.after_pause` can set
it."""

NOBODY_PLAYS = (
    "No power has a player who answers: until somebody comes back or takes one over, all units "
    "hold."
)


@dataclass(frozen=True, kw_only=True)
class Parameters:
    why: WhyIfYouLike = ""


class Resume(GameAct[Parameters]):
    name = "resume"
    title = "Resume"
    help = "End the pause: the clock runs again."
    group = Group.TIME
    when = frozenset({Status.PAUSED})
    undo = "“Pause” stops the clock again."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        phase = phase_of(subject)
        said = ["The clock runs again."]
        if phase.overdue_at:
            said = [f"The game goes on waiting for missing orders of {title_of(phase)}."]
        elif phase.due_at and subject.paused_at:
            step = step_of(phase.name)
            to, how = after_pause(pace_of(subject), step, phase.due_at, subject.paused_at, now)
            said += [f"{title_of(phase)} is due {from_now(to, subject, now)}.", AFTERWARDS[how]]
        return [*said, *_nobody_plays(subject), who_is_told(subject, now)]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        game_resume(game=subject, why=given.why, by=by.name, now=now)
        phase, nobody = phase_of(subject), _nobody_plays(subject)
        if phase.overdue_at:
            waits = f"{subject.name} goes on waiting for missing orders of {title_of(phase)}."
            return Done(" ".join([waits, *nobody]))
        due = phase.due_at and f" {title_of(phase)} is due {from_now(phase.due_at, subject, now)}."
        return Done(" ".join([f"The clock of {subject.name} runs again.{due or ''}", *nobody]))


def _nobody_plays(game: Game) -> list[str]:
    """Say so if nobody answers for any power that is left."""
    lost = (
        one.disorder_since is not None or running_seat(one) is None
        for one in game.powers.all()
        if is_alive(one)
    )
    return [NOBODY_PLAYS] if all(lost) else []
