"""Play a game again from an earlier phase."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, Reason, Status, set_choices, told
from games.board import phase_title
from games.models import Game, Phase
from games.seats import PLAYED
from games.services.rollback import game_rollback
from games.wording import listed


class Target(Reason):
    field_order = ["phase", "why"]
    phase = forms.ChoiceField(
        label="Play again from", help_text="With the position it began with, and no orders."
    )

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, game=game, **kwargs)
        names = _played(game)[::-1]
        set_choices(self, "phase", [(name, f"{phase_title(name)} ({name})") for name in names])


class Rollback(Action):
    name = "rollback"
    label = "Roll back"
    what = "Open an earlier phase anew. What is undone is kept, and stays in the log."
    group = Group.GAME
    when = PLAYED | {Status.FINISHED}
    questions = Target

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        names = _played(game)
        undone = names[names.index(typed["phase"]) :]
        return [
            f"{phase_title(typed['phase'])} is played again: with the position it had, a new "
            "deadline and no orders. Everybody has to order anew.",
            f"Undone, but kept: {listed([phase_title(name) for name in undone])}.",
            "Who plays what stays as it is today.",
            told(game),
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        event = game_rollback(game=game, phase=typed["phase"], why=typed["why"], by=by, now=now)
        undone = ", ".join(event.payload["undone"])
        return Done(
            f"The game {game.name} is back at {event.payload['phase']}. Undone, but kept: {undone}."
        )


def _played(game: Game) -> list[str]:
    phases = game.phases.exclude(status=Phase.Status.UNDONE).order_by("number")
    return list(phases.values_list("name", flat=True))
