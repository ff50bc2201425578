"""Forms of the admin: they read what was typed, and leave decisions to the services."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import groupby
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from games.admin.base import RowForm
from games.errors import GameError
from games.models import Game
from games.queries.parsing.days_off import days_off_typed, days_off_written
from games.queries.parsing.start_times import start_written
from games.queries.variants import all_variants
from games.services.clock.halts import require_running
from games.services.setup.game_faults import game_faults
from games.settings import SETTINGS, GameSettings
from games.settings.presets import PRESETS
from games.settings.setting import Setting
from games.timing.zones import known_zones

ASKED = ("name", "preset", "timezone")
"""The three questions about a new game; the rest is folded away."""
FIELDSETS: list[tuple[str | None, dict[str, Any]]] = [
    (None, {"fields": [*ASKED, "typed"]}),
    *(
        (group, {"fields": fields, "classes": ["collapse"]})
        for group, several in groupby(SETTINGS.values(), key=lambda one: one.group)
        if (fields := [one.name for one in several if one.name not in ASKED])
    ),
]
OWN = "own"
"""The choice of people who want none of the presets."""


class ReadField(forms.CharField):
    """Text from which `read` makes a value, and for which `typed` gives what people type."""

    def __init__(
        self,
        read: Callable[[str], object],
        typed: Callable[[object], object] = lambda value: value,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.read, self.typed = read, typed

    def clean(self, value: Any) -> Any:
        """Return the value, or none if nothing was typed."""
        text = super().clean(value)
        try:
            return self.read(text) if text else None
        except GameError as error:
            raise ValidationError(str(error)) from error

    def prepare_value(self, value: Any) -> Any:
        """Show a value as somebody might type it."""
        return self.typed(value)


class DaysOffField(forms.CharField):
    """Days off as people write them; the value is the text that a game stores."""

    def clean(self, value: Any) -> str:
        """Return the text that a game stores."""
        try:
            return days_off_written(super().clean(value), timezone.now().date())
        except GameError as error:
            raise ValidationError(str(error)) from error

    def prepare_value(self, value: Any) -> Any:
        """Show the days as somebody might type them."""
        return days_off_typed(str(value or ""))


def field_of(setting: Setting) -> forms.Field:
    """Return the field of a form in which people choose a setting."""
    common: dict[str, Any] = {
        "label": setting.label,
        "help_text": setting.about.help,
        "initial": setting.default,
    }
    if setting.name == "days_off":
        wide = forms.TextInput(attrs={"class": "vTextField"})
        longest = setting.field.max_length
        return DaysOffField(required=False, max_length=longest, widget=wide, **common)
    if setting.name == "variant":
        return forms.ChoiceField(choices=_variants(), **common)
    if setting.about.choices:
        return forms.ChoiceField(choices=setting.choices.items(), **common)
    if setting.kind in (dt.timedelta, object):
        return ReadField(setting.read, setting.typed, required=not setting.optional, **common)
    field = setting.field.formfield(**common)
    assert field, "every setting can be chosen"
    return field


def _variants() -> list[tuple[str, str]]:
    """Return each variant by its name, with the words of the public page that makes games."""
    return [(one.name, f"{one.title}, {len(one.powers)} powers") for one in all_variants()]


def zones() -> list[str]:
    """Return the names of the time zones in which somebody may live."""
    return sorted(name for name in known_zones() if "/" in name or name == "UTC")


class GameForm(RowForm):
    """The settings of a new game; a preset fills in those that nobody has touched."""

    preset = forms.ChoiceField(
        label="How will it be played?",
        choices=[
            *((name, f"{one.title}. {one.sentence}") for name, one in PRESETS.items()),
            (OWN, "Something else, as set up below."),
        ],
        widget=forms.RadioSelect,
        initial=OWN,
        required=False,
    )
    typed = forms.CharField(widget=forms.HiddenInput, required=False)
    """The names of settings that somebody touched, as the page noted them: a typed one wins over
    the preset even if it has the usual value."""

    class Meta:
        model = Game
        fields = list(SETTINGS)

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(_fill_in(data) if data is not None else None, *args, **kwargs)
        for name, one in SETTINGS.items():
            if one.about.choices or one.kind in (dt.timedelta, object) or name == "days_off":
                self.fields[name] = field_of(one)
            self.fields[name].label = one.label
            self.fields[name].help_text = one.about.help
        self.fields["name"].error_messages["required"] = "Please give the game a name."
        self.fields["timezone"].widget = forms.TextInput(attrs={"list": "zones"})

    def clean(self) -> dict[str, Any]:
        """Say everything that is wrong with the game at once, each fault at its setting."""
        super().clean()
        try:
            require_running()
        except GameError as error:
            self.add_error(None, str(error))
        given = {name: self.cleaned_data[name] for name in SETTINGS if name in self.cleaned_data}
        game = Game(**given)
        game.name = game.name.strip()
        for name, said in game_faults(game):
            if name not in self.errors:
                self.add_error(name if name in self.fields else None, said)
        if "start" in self.cleaned_data and "timezone" in self.cleaned_data:
            self._read_start()
        return self.cleaned_data

    def _read_start(self) -> None:
        """Read the time of the start on the clocks of the game's time zone."""
        written, zone = self.cleaned_data["start"], self.cleaned_data["timezone"]
        try:
            self.cleaned_data["start"] = start_written(written, zone, timezone.now())
        except GameError as error:
            self.add_error("start", str(error))

    def settings(self) -> GameSettings:
        """Return what was typed in the form that `game_create` takes, without `now`."""
        typed = {name: self.cleaned_data[name] for name in SETTINGS}
        return cast(GameSettings, typed)


def without_script(data: Any) -> Any:
    """Return the answers with the settings of their preset, for the user to check before the game
    is made; None if a script ran or nothing is to be filled in.

    Without a script nothing notes what the user types, so we cannot tell a usual value that they
    want from one that the preset should replace. We show the form once more, and they get what it
    then shows.
    """
    preset = PRESETS.get(data.get("preset", OWN))
    if preset is None or data.get("typed") != "":
        return None
    filled = _fill_in(data)
    filled["preset"] = OWN
    for name, one in SETTINGS.items():
        if isinstance(one.default, bool) and name not in filled:
            filled[name] = ""
    for name in ("csrfmiddlewaretoken", "_save", "typed"):
        filled.pop(name, None)
    return filled


def _fill_in(data: Any) -> Any:
    """The answers, with the preset's value wherever a setting has its usual one."""
    preset = PRESETS.get(data.get("preset", OWN))
    if preset is None:
        return data
    filled, touched = data.copy(), data.get("typed", "").split()
    for name, value in preset.settings.items():
        one = SETTINGS[name]
        if name not in touched and _is_untouched(data.get(name), one):
            filled[name] = "on" if value is True else str(one.typed(value))
    return filled


def _is_untouched(typed: str | None, setting: Setting) -> bool:
    usual = setting.typed(setting.default)
    if isinstance(setting.default, bool):
        return (typed is not None) == setting.default
    return typed is None or typed.strip() == ("" if usual is None else str(usual))
