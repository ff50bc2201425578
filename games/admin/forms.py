"""Forms of the admin: they read what was typed and leave the deciding to the services."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from itertools import groupby
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from games.admin.base import RowForm
from games.errors import GameError
from games.models import Game
from games.services.games import game_check
from games.settings import SETTINGS, GameSettings
from games.settings.setting import Setting

FIELDSETS: list[tuple[str | None, dict[str, Any]]] = [
    (group, {"fields": [one.name for one in several]})
    for group, several in groupby(SETTINGS.values(), key=lambda one: one.group)
]


class ReadField(forms.CharField):
    """Text of which `read` makes a value, and `typed` the text that people type for it."""

    def __init__(
        self,
        read: Callable[[str], object],
        typed: Callable[[object], object] = lambda value: value,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.read, self.typed = read, typed

    def clean(self, value: Any) -> Any:
        """Return the value; nothing typed is no value."""
        text = super().clean(value)
        try:
            return self.read(text) if text else None
        except GameError as error:
            raise ValidationError(str(error)) from error

    def prepare_value(self, value: Any) -> Any:
        """Show a value as it may be typed."""
        return self.typed(value)


def field_of(setting: Setting) -> forms.Field:
    """Return the field of a form in which people choose a setting."""
    common: dict[str, Any] = {
        "label": setting.label,
        "help_text": setting.about.help,
        "initial": setting.default,
    }
    if setting.about.choices:
        return forms.ChoiceField(choices=setting.choices.items(), **common)
    if setting.kind in (dt.timedelta, object):
        return ReadField(setting.read, setting.typed, required=not setting.optional, **common)
    field = setting.field.formfield(**common)
    assert field, "every setting can be chosen"
    return field


class GameForm(RowForm):
    """The settings of a new game."""

    class Meta:
        model = Game
        fields = list(SETTINGS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, one in SETTINGS.items():
            if one.about.choices or one.kind in (dt.timedelta, object):
                self.fields[name] = field_of(one)
            self.fields[name].label = one.label
            self.fields[name].help_text = one.about.help

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
        return cast(GameSettings, self.cleaned_data)
