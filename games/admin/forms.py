"""Forms of the admin: they read what was typed and leave the deciding to the services."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.duration import duration_string

from games.admin.base import RowForm
from games.durations import read_duration
from games.errors import BadInput, GameError
from games.models import Game
from games.services.games import game_check


class LengthField(forms.CharField):
    """A length of time, typed as 72h or 1d12h."""

    def to_python(self, value: Any) -> Any:
        """Return the timedelta; nothing typed stays nothing."""
        text = super().to_python(value)
        try:
            return read_duration(text) if text else None
        except BadInput as error:
            raise ValidationError(str(error)) from error

    def prepare_value(self, value: Any) -> Any:
        """Show a stored length as it may be typed."""
        return short_length(value) if isinstance(value, dt.timedelta) else value


def short_length(length: dt.timedelta) -> str:
    """Write 72 hours as "72h"; what is no whole number of seconds as Django writes it."""
    seconds = int(length.total_seconds())
    if seconds != length.total_seconds():
        return duration_string(length)
    for unit, size in (("h", 3_600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


class GameForm(RowForm):
    """The settings of a new game."""

    movement_length = LengthField(initial="72h", help_text="For orders: 72h, 3d, 1d12h, 90m")
    retreat_length = LengthField(initial="24h", help_text="For retreats")
    adjustment_length = LengthField(initial="24h", help_text="For builds and disbands")

    class Meta:
        model = Game
        fields = [
            "name",
            "variant",
            "rules",
            "gm",
            "movement_length",
            "retreat_length",
            "adjustment_length",
            "timezone",
            "process_early",
        ]

    def clean(self) -> dict[str, Any]:
        """Let the service say whether a game can be made of this."""
        super().clean()
        if not self.errors:
            try:
                game_check(**self.settings())
            except GameError as error:
                raise ValidationError(str(error)) from error
        return self.cleaned_data

    def settings(self) -> dict[str, Any]:
        """Return what was typed as `game_create` takes it, without `now`."""
        typed = self.cleaned_data
        return {
            "name": typed["name"],
            "variant": typed["variant"],
            "rules": typed["rules"],
            "gm": typed["gm"],
            "movement": typed["movement_length"],
            "retreat": typed["retreat_length"],
            "adjustment": typed["adjustment_length"],
            "timezone": typed["timezone"],
            "process_early": typed["process_early"],
        }
