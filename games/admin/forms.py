"""Forms of the admin: they read what was typed and leave the deciding to the services."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.duration import duration_string

from games.admin.base import RowForm
from games.admin.labels import HELP, label_of
from games.board import variant_names
from games.errors import BadInput, GameError
from games.models import Game
from games.scoring.systems import DEFAULT, SYSTEMS
from games.services.games import GameSettings, game_check
from games.timing.durations import read_duration

LENGTH_HELP = "Like 72h, 3d, 1d12h, 90m; with a clock: the least that such a phase lasts."

NEW_GAME: list[tuple[str | None, dict[str, Any]]] = [
    (None, {"fields": ["name", "variant", "rules", "gm"]}),
    ("Who may join, and the start", {"fields": ["min_reliability", "muster"]}),
    ("Deadlines", {"fields": ["movement_length", "retreat_length", "adjustment_length"]}),
    (
        "Deadlines on the wall clock",
        {
            "fields": [
                "timezone",
                "movement_clock",
                "retreat_clock",
                "adjustment_clock",
                "days_off",
                "waits_for_absent",
            ]
        },
    ),
    (
        "Around the deadline",
        {
            "fields": [
                "first_extra",
                "process_early",
                "early_delay",
                "transit_grace",
                "reminders",
            ]
        },
    ),
    (
        "Press, and who knows whom",
        {"fields": ["press_mode", "grey_press", "anonymous", "observers", "gm_sees"]},
    ),
    (
        "When time is short",
        {
            "fields": [
                "when_missing",
                "extension_length",
                "player_extensions",
                "disorder_after",
                "takeover_time",
            ]
        },
    ),
    (
        "The end of the game",
        {
            "fields": [
                "draws",
                "concessions",
                "secret_votes",
                "scoring",
                "last_year",
                "quiet_years",
                "most_years",
            ]
        },
    ),
]


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


class RulesField(forms.CharField):
    """The name of a preset, or the judge's rules object as JSON."""

    def to_python(self, value: Any) -> Any:
        """Return the name, or what the JSON says."""
        text = super().to_python(value) or ""
        if not text.startswith("{"):
            return text
        try:
            return json.loads(text)
        except ValueError as error:
            raise ValidationError(f"These rules are no JSON object: {error}") from error


class GameForm(RowForm):
    """The settings of a new game."""

    variant = forms.ChoiceField(
        initial="standard", choices=lambda: [(name, name) for name in variant_names()]
    )
    rules = RulesField(
        initial="DATC", help_text='A preset, or like: {"preset": "DATC", "4.A.2": "1982"}'
    )
    movement_length = LengthField(initial="72h", help_text=f"For orders. {LENGTH_HELP}")
    retreat_length = LengthField(initial="24h", help_text="For retreats")
    adjustment_length = LengthField(initial="24h", help_text="For builds and disbands")
    first_extra = LengthField(initial="0h", help_text="How much longer the first phase lasts")
    early_delay = LengthField(
        required=False,
        help_text="How long to wait for second thoughts. Empty: 30 minutes, and less in phases "
        "shorter than a day; 0h: not at all.",
    )
    transit_grace = LengthField(
        initial="0h", help_text="How long after the deadline a mail still counts"
    )

    muster = LengthField(
        initial="0h",
        help_text="How long the players have, when all seats are taken, to say that they are here; "
        "who does not loses the seat. 0h: the game starts at once.",
    )
    extension_length = LengthField(initial="24h", help_text="How long the one extension lasts")
    takeover_time = LengthField(
        required=False,
        help_text="How much time to its next deadline a substitute has at least. Empty: 24 hours, "
        "but never more than the phase lasts.",
    )
    scoring = forms.ChoiceField(
        initial=DEFAULT,
        choices=lambda: [(name, system.title) for name, system in SYSTEMS.items()],
        help_text="How the end of the game is scored; docs/gms.md says what each system gives.",
    )

    class Meta:
        model = Game
        fields = [name for _, options in NEW_GAME for name in options["fields"]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = label_of(name)
            field.help_text = HELP.get(name, field.help_text)

    def clean(self) -> dict[str, Any]:
        """Let the service say whether a game can be made of this."""
        super().clean()
        if not self.errors:
            try:
                game_check(**self.settings())
            except GameError as error:
                raise ValidationError(str(error)) from error
        return self.cleaned_data

    def settings(self) -> GameSettings:
        """Return what was typed as `game_create` takes it, without `now`."""
        names = {"movement_length", "retreat_length", "adjustment_length"}
        typed = {
            name.removesuffix("_length") if name in names else name: value
            for name, value in self.cleaned_data.items()
        }
        return cast(GameSettings, typed)
