"""Change the settings that may change while a game is being played."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask, Why
from games.acts.sentences import who_is_told
from games.events import SettingsChanged
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.players.seats import seats_free
from games.services.setup.gm_settings import changes_said, settings_change
from games.services.setup.start_times import start_read
from games.settings import CHANGEABLE


@dataclass(frozen=True, kw_only=True)
class Parameters:
    changes: Annotated[Mapping[str, object], Ask("Settings")]
    """New values by their names in `CHANGEABLE`; a value that is the same as before changes
    nothing."""
    why: Why


def _by_the_clock(game: Game, changes: Mapping[str, object]) -> Iterator[str]:
    """Say that where there is a clock, a changed length is only the least that a phase lasts."""
    for step in ("movement", "retreat", "adjustment"):
        length, clock = f"{step}_length", f"{step}_clock"
        times = changes.get(clock, getattr(game, clock))
        if times and changes.get(length, getattr(game, length)) != getattr(game, length):
            yield (
                f"{CHANGEABLE[clock].about.label.capitalize()} {times}, so the "
                f"{CHANGEABLE[length].about.label} is only the least that one lasts."
            )


def _as_to_phases(game: Game) -> Iterator[str]:
    """Say when a change takes effect, if a phase may be open."""
    if game.started_at:
        yield (
            "The deadline of an open phase stays where it is. Lengths and times of day apply from "
            "the next phase on, the rest at once."
        )


def _begins(game: Game, changes: Mapping[str, object]) -> Iterator[str]:
    """Say that a full game begins at once, or musters, when its time to start is taken away."""
    if game.starts_at and not changes.get("start", game.start) and not seats_free(game):
        asks = changes.get("muster", game.muster)
        follows = (
            "players are asked at once whether they are here" if asks else "game begins at once"
        )
        yield f"All seats are taken, so without a time the {follows}."


class Settings(GameAct[Parameters]):
    name = "settings"
    title = "Change settings"
    help = "Change lengths, clocks, reminders, and what happens when orders are missing."
    group = Group.GAME
    when = frozenset(Status) - {Status.FINISHED}
    undo = "“Change settings” puts them back."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        changes = start_read(subject, given.changes, now)
        return [
            *changes_said(subject, changes).values(),
            *_by_the_clock(subject, changes),
            *_as_to_phases(subject),
            *_begins(subject, changes),
            who_is_told(subject, now),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        event = settings_change(
            game=subject, changes=given.changes, why=given.why, by=by.name, now=now
        )
        return Done(f"Changed in {subject.name}: {'; '.join(SettingsChanged.of(event).changes)}.")
