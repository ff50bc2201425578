"""Change the settings that may change while a game is being played."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask, Why
from games.acts.sentences import told
from games.events import SettingsChanged
from games.models import Game
from games.services.gm_settings import changes_said, settings_change


@dataclass(frozen=True, kw_only=True)
class Parameters:
    changes: Annotated[Mapping[str, object], Ask("Settings")]
    """New values by their names in `CHANGEABLE`; one that is as before changes nothing."""
    why: Why


class Settings(GameAct[Parameters]):
    name = "settings"
    title = "Change settings"
    help = "Change lengths, clocks, reminders, and what happens when orders are missing."
    group = Group.GAME
    when = frozenset(Status) - {Status.FINISHED}
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        return [
            *changes_said(subject, given.changes).values(),
            "The deadline of an open phase stays where it is. Lengths and times of day apply from "
            "the next phase on, the rest at once.",
            told(subject),
        ]

    def do(self, subject: Game, given: Parameters, *, by: str, now: dt.datetime) -> Done:
        event = settings_change(game=subject, changes=given.changes, why=given.why, by=by, now=now)
        return Done(f"Changed in {subject.name}: {'; '.join(SettingsChanged.of(event).changes)}.")
