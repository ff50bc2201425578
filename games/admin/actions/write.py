"""Write to all players or to some."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms

from games.admin.actions.base import (
    FEW,
    PLAYED,
    Action,
    Done,
    Group,
    Questions,
    Status,
    Typed,
    listed,
    set_choices,
)
from games.anonymity import names_shown
from games.models import Game, Seat
from games.selectors import seats_of
from games.services.announcements import gm_write


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
        set_choices(self, "to", [(seat.power.name, _reader(seat, game)) for seat in seats_of(game)])


class Write(Action):
    name = "write"
    label = "Write to players"
    what = "Send a mail to all players, or to some. They answer it to the GM."
    group = Group.WORDS
    when = PLAYED | {Status.FINISHED}
    questions = Letter

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        to = typed["to"]
        seats = [seat for seat in seats_of(game) if not to or seat.power.name in to]
        names = [_reader(seat, game) for seat in seats]
        readers = listed(names) if len(names) <= FEW else f"all {len(names)} players"
        return [
            f"{readers} {'gets' if len(names) == 1 else 'get'} this text, as a mail from the GM:",
            typed["text"],
            "Their answers go to the GM alone.",
            "The log says that you wrote, and to whom only if it was to everybody.",
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        press = gm_write(game=game, to=typed["to"], text=typed["text"], by=by, now=now)
        return Done(f"Your text is on its way to {listed(press.to)}.")


def _reader(seat: Seat, game: Game) -> str:
    """The power with its player, as long as a GM who plays may know him."""
    power = seat.power.name
    return f"{power} ({seat.player.name})" if names_shown(game) else power
