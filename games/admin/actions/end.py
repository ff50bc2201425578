"""End a game with a result, or with none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms

from games.admin.acting import Done, Typed
from games.admin.actions.base import (
    Action,
    Group,
    Reason,
    Status,
    remaining,
    set_choices,
    title_of,
    told,
)
from games.models import Game
from games.selectors import open_phase
from games.services.ending import game_end
from games.services.games import power_names
from games.wording import listed


class Result(Reason):
    field_order = ["winners", "why"]
    winners = forms.MultipleChoiceField(
        label="Who has won",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="One power: it has won. Several: a draw among them. None: no result.",
    )

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, game=game, **kwargs)
        left = remaining(game)
        names = [name for name in power_names(game) if name in left]
        set_choices(self, "winners", [(name, name) for name in names])


class End(Action):
    name = "end"
    label = "End the game"
    what = "End the game with a winner, a draw or no result."
    group = Group.GAME
    when = frozenset(Status) - {Status.FINISHED}
    questions = Result

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        phase = open_phase(game)
        said = [f"The game {game.name} ends: {_result(typed['winners'])}."]
        if phase:
            said += [f"{title_of(phase)} is not adjudicated any more, whatever was ordered."]
        return [*said, "Only a rollback makes it go on.", told(game)]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        game_end(game=game, winners=typed["winners"], why=typed["why"], by=by, now=now)
        return Done(f"The game {game.name} has ended: {_result(typed['winners'])}.")


def _result(winners: Sequence[str]) -> str:
    if not winners:
        return "it has no result"
    return f"{winners[0]} has won" if len(winners) == 1 else f"a draw of {listed(winners)}"
