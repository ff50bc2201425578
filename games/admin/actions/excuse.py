"""Excuse orders that did not come."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, Reason, Status, set_choices
from games.attendance import misses
from games.board import phase_title
from games.models import Attendance, Game, Seat
from games.seats import PLAYED
from games.services.attendance import excuse


class Miss(Reason):
    field_order = ["miss", "why"]
    miss = forms.ChoiceField(label="What to excuse")
    why = forms.CharField(
        label="Why", max_length=200, help_text="One sentence; it stands in the game's log."
    )

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, game=game, **kwargs)
        rows = misses(list(Seat.objects.filter(power__game=game)))
        self.rows = {str(row.pk): row for row in rows}
        set_choices(self, "miss", [(key, _named(row)) for key, row in self.rows.items()])

    def clean_miss(self) -> Attendance:
        """Return the row."""
        return self.rows[self.cleaned_data["miss"]]


class Excuse(Action):
    name = "excuse"
    label = "Excuse a miss"
    what = "Let orders that did not come, or came late, not count against their player."
    group = Group.SEATS
    when = PLAYED | {Status.FINISHED}
    questions = Miss

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        row = typed["miss"]
        return [
            f"{_named(row)}: it is excused, and counts neither against the reliability of "
            f"{row.seat.player.name} nor towards civil disorder.",
            "What happened on the board stays as it is.",
            f"{row.seat.player.name} is told by mail. All can read it in the log.",
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        row = typed["miss"]
        excuse(seat=row.seat, phase=row.phase, why=typed["why"], by=by, now=now)
        return Done(f"Excused: {_named(row)}.")


def _named(row: Attendance) -> str:
    seat = row.seat
    came = row.get_came_display()
    return f"{seat.power.name} ({seat.player.name}), {phase_title(row.phase.name)}: {came}"
