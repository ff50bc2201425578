"""Stop the clock of a game."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import Ask, Why
from games.acts.sentences import from_now, times_of, title_of, who_is_told
from games.errors import BadInput
from games.models import Game, Phase
from games.queries.access.staff_names import Actor
from games.queries.board import step_of
from games.queries.lookup import open_phase
from games.queries.parsing.moments import moment_to_come
from games.queries.reports.wording import local_moment
from games.services.clock.pauses import game_pause
from games.timing.clock import wall_moment
from games.timing.deadlines import Pace, after_pause
from games.timing.durations import read_duration
from games.timing.pace import pace_of


def _note(game: Game) -> str:
    phase = open_phase(game)
    times = times_of(game, phase) if phase else ""
    day = "A day alone means the time of movement deadlines, or else the beginning of the day."
    return f"{times} {day} Leave both empty to pause until somebody resumes the game.".strip()


@dataclass(frozen=True, kw_only=True)
class Parameters:
    length: Annotated[dt.timedelta | None, Ask("For how long", "Like 10d.", read=read_duration)] = (
        None
    )
    to: Annotated[str, Ask("Or until", longest=40, is_moment=True, note=_note)] = ""
    """A day, or a day and a time on the game's clocks."""
    why: Why

    def until(self, game: Game, now: dt.datetime) -> dt.datetime | None:
        """Return when the clock runs again by itself, None if it does not. Raises BadInput."""
        if self.length is not None and self.to:
            raise BadInput("Please say either for how long, or until when.")
        if self.to:
            return _moment(self.to, pace_of(game), now)
        return now + self.length if self.length is not None else None


def _moment(text: str, pace: Pace, now: dt.datetime) -> dt.datetime:
    """Read the end of the pause; for a day alone, the time of day when it was written does not
    matter."""
    clock = pace.movement_clock
    time = clock.slots[-1][1] if clock else dt.time(0)
    like = wall_moment(now.astimezone(pace.zone).date(), time, pace.zone)
    return moment_to_come(text, pace.zone, clock=clock, like=like, now=now)


class Pause(GameAct[Parameters]):
    name = "pause"
    title = "Pause"
    help = "Stop the clock of the game, or change the end of its pause. Orders are still taken."
    group = Group.TIME
    when = frozenset({Status.ACTIVE, Status.PAUSED})
    undo = "“Resume” ends it."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        until = given.until(subject, now)
        phase, again = phase_of(subject), subject.status == Status.PAUSED
        stops = "has stopped and does not run yet" if again else "stops"
        return [
            f"The clock {stops} in {title_of(phase)}. Orders are still taken.",
            f"It runs again by itself on {from_now(until, subject, now)}."
            if until
            else "It runs again when somebody resumes the game.",
            _time_then(phase, _stopped_at(subject, now)),
            *_then_due(subject, until, now),
            who_is_told(subject, now),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        until = given.until(subject, now)
        game_pause(game=subject, until=until, why=given.why, by=by.name, now=now)
        end = local_moment(until, subject.timezone) if until else "somebody resumes it"
        return Done(f"The game {subject.name} is paused until {end}.")


def _stopped_at(game: Game, now: dt.datetime) -> dt.datetime:
    return (game.status == Status.PAUSED and game.paused_at) or now


def _time_then(phase: Phase, stopped_at: dt.datetime) -> str:
    if phase.overdue_at is not None:
        return "Then it goes on waiting for the orders that are missing."
    if phase.due_at is not None and phase.due_at <= stopped_at:
        return "The deadline has passed, so there will be a new one when the game goes on."
    return (
        "Then everybody gets back the time that was left when the clock stopped; if nearly all of "
        "that is still left, the deadline stays."
    )


def _then_due(game: Game, until: dt.datetime | None, now: dt.datetime) -> list[str]:
    """Say when the deadline is after a pause whose end is known."""
    phase = phase_of(game)
    if until is None or phase.due_at is None or phase.overdue_at is not None:
        return []
    step, stopped_at = step_of(phase.name), _stopped_at(game, now)
    due_at, _ = after_pause(pace_of(game), step, phase.due_at, stopped_at, until)
    return [f"{title_of(phase)} is due {local_moment(due_at, game.timezone)} then."]
