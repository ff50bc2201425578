"""Write to all players or to some."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms

from games.admin.acting import Done, Typed
from games.admin.actions.base import FEW, Action, Group, Questions, Status, set_choices
from games.anonymity import names_shown
from games.models import Game, Seat
from games.musters import players_with_place
from games.selectors import seats_of
from games.services.announcements import gm_write
from games.wording import listed


class Letter(Questions):
    to = forms.MultipleChoiceField(
        label="To",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Choose nobody to write to everybody.",
    )
    text = forms.CharField(
        label="Text",
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text="Plain text. Who answers the mail, answers you.",
    )

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, game=game, **kwargs)
        seats = seats_of(game) if game.started_at else []
        set_choices(self, "to", [(seat.power.name, _reader(seat, game)) for seat in seats])
        if not game.started_at:
            self.fields["to"].help_text = "Before the start it goes to all who have a place."


class Write(Action):
    name = "write"
    label = "Write to players"
    what = "Send a mail to all players, or to some. They answer it to the GM."
    group = Group.WORDS
    when = frozenset(Status)
    questions = Letter

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        names = _readers(game, typed["to"])
        readers = listed(names) if len(names) <= FEW else f"all {len(names)} players"
        answers = "Their answers go to the GM alone."
        if not game.started_at:
            answers = "They cannot answer before the start: there is no press yet."
        return [
            f"{readers} {'gets' if len(names) == 1 else 'get'} this text, as a mail from the GM:",
            typed["text"],
            answers,
            "The log says that you wrote, and to whom only if it was to everybody.",
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        press = gm_write(game=game, to=typed["to"], text=typed["text"], by=by, now=now)
        readers = listed(press.to) if game.started_at else "all who have a place"
        return Done(f"Your text is on its way to {readers}.")


def _readers(game: Game, to: Sequence[str]) -> list[str]:
    if not game.started_at:
        return [player.name for player in players_with_place(game)] or ["Nobody"]
    return [_reader(seat, game) for seat in seats_of(game) if not to or seat.power.name in to]


def _reader(seat: Seat, game: Game) -> str:
    """The power with its player, as long as a GM who plays may know him."""
    power = seat.power.name
    return f"{power} ({seat.player.name})" if names_shown(game) else power
