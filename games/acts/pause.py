"""Stop the clock of a game."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status, phase_of
from games.acts.parameters import Ask, Why
from games.acts.sentences import from_now, title_of, told
from games.models import Game
from games.queries.wording import local_moment
from games.services.deadlines import game_pause
from games.timing.durations import read_duration


@dataclass(frozen=True, kw_only=True)
class Parameters:
    length: Annotated[
        dt.timedelta | None,
        Ask(
            "For how long",
            "Like 10d. Leave it empty to pause until somebody resumes the game.",
            read=read_duration,
        ),
    ] = None
    why: Why

    def until(self, now: dt.datetime) -> dt.datetime | None:
        """When the clock runs again by itself; None: it does not."""
        return now + self.length if self.length is not None else None


class Pause(GameAct[Parameters]):
    name = "pause"
    title = "Pause"
    help = "Stop the clock of the game. Orders are still taken."
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        until = given.until(now)
        phase = phase_of(subject)
        return [
            f"The clock of {subject.name} stops in {title_of(phase)}. Orders are still taken.",
            f"It runs again by itself on {from_now(until, subject, now)}."
            if until
            else "It runs again when somebody resumes the game.",
            "Then everybody has the time that is left now, or so nearly that the deadline stays.",
            told(subject),
        ]

    def do(self, subject: Game, given: Parameters, *, by: str, now: dt.datetime) -> Done:
        until = given.until(now)
        game_pause(game=subject, until=until, why=given.why, by=by, now=now)
        end = f" until {local_moment(until, subject.timezone)}" if until else ""
        return Done(f"The game {subject.name} is paused{end}.")
