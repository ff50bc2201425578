"""Stop the clock of a game."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.admin.acting import Done, Typed
from games.admin.actions.base import (
    Action,
    Group,
    Reason,
    Status,
    from_now,
    phase_of,
    title_of,
    told,
)
from games.admin.base import moment
from games.admin.forms import LengthField
from games.models import Game
from games.services.deadlines import game_pause


class Length(Reason):
    field_order = ["length", "why"]
    length = LengthField(
        label="For how long",
        required=False,
        help_text="Like 10d. Leave it empty to pause until somebody resumes the game.",
    )


class Pause(Action):
    name = "pause"
    label = "Pause"
    what = "Stop the clock of the game. Orders are still taken."
    group = Group.TIME
    when = frozenset({Status.ACTIVE})
    questions = Length

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        until = _until(typed, now)
        phase = phase_of(game)
        return [
            f"The clock of {game.name} stops in {title_of(phase)}. Orders are still taken.",
            f"It runs again by itself on {from_now(until, now)}."
            if until
            else "It runs again when somebody resumes the game.",
            "Everybody has then the time that is left now.",
            told(game),
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        until = _until(typed, now)
        game_pause(game=game, until=until, why=typed["why"], by=by, now=now)
        end = f" until {moment(until)} UTC" if until else ""
        return Done(f"The game {game.name} is paused{end}.")


def _until(typed: Typed, now: dt.datetime) -> dt.datetime | None:
    return now + typed["length"] if typed["length"] is not None else None
