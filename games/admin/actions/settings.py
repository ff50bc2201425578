"""Change those settings of a game that may change while it is played."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, Reason, Status, told
from games.admin.forms import GameForm
from games.admin.labels import label_of
from games.models import Event, Game
from games.services.gm_settings import CHANGEABLE, settings_change


class Changes(Reason):
    """The settings as they are, to be overwritten."""

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, game=game, **kwargs)
        why = self.fields.pop("why")
        for name in CHANGEABLE:
            field = copy.deepcopy(GameForm.base_fields[name])
            field.initial = getattr(game, name)
            field.label = label_of(name)
            self.fields[name] = field
        self.fields["why"] = why


class Settings(Action):
    name = "settings"
    label = "Change settings"
    what = "Change lengths, clocks, reminders, and what happens when orders are missing."
    group = Group.GAME
    when = frozenset(Status) - {Status.FINISHED}
    questions = Changes

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        with transaction.atomic():
            event = _change(game, typed, by="", now=now)
            transaction.set_rollback(True)
        return [
            *event.payload["changes"],
            "The deadline of an open phase stays where it is. Lengths and times of day hold from "
            "the next phase on, the rest at once.",
            told(game),
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        event = _change(game, typed, by=by, now=now)
        return Done(f"Changed in {game.name}: {'; '.join(event.payload['changes'])}.")


def _change(game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Event:
    changes = {name: typed[name] for name in CHANGEABLE}
    return settings_change(game=game, changes=changes, why=typed["why"], by=by, now=now)
