"""What a setting is: its name, its type and default, and how people read, write and choose it."""

from __future__ import annotations

import datetime as dt
import enum
import json
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from types import NoneType
from typing import Annotated, Any, Required, get_args, get_origin

from django.db.models import Field

from games.errors import BadInput
from games.models import Game
from games.timing.durations import duration_text, read_duration, short_text


class Change(enum.Enum):
    """Who may change a setting, and when."""

    NEVER = "never"
    BY_GM = "by the GM"
    """Until the game is over; everybody is told the old value and the new one."""


@dataclass(frozen=True, slots=True)
class About:
    """What the table says about a setting besides its name and type."""

    label: str
    """Its name in the middle of a sentence: "length of movement phases"."""
    help: str
    """One or two sentences; for a switch, what is true when it is on."""
    _: KW_ONLY
    change: Change = Change.NEVER
    option: str = ""
    """The option of `create_game`. If empty, the name, like --last-year; with --no- for a switch
    that is on."""
    choices: Callable[[], Mapping[str, str]] | None = None
    """The values to choose from, each with its label, if the model does not list them."""
    empty: str = "none"
    """What holds if nothing is chosen."""
    zero: str = ""
    """What no time, or the number 0, means: "never"."""
    on_page: bool = True
    """Whether the list of settings on a game's page has it, because no sentence there mentions
    it."""
    said: Callable[[str], str] | None = None
    """What a text means, in words; without this, the text itself is shown."""
    differs: str = ""
    """The sentence of the start mail, with the value for {}, if it differs from the default."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a game."""

    name: str
    """The field of `Game`."""
    group: str
    kind: type
    """The type of its values; `object` for the judge's rules."""
    optional: bool
    """None is a value, too; `about.empty` says what it means."""
    about: About

    @property
    def field(self) -> Field[Any, Any]:
        """The database column that stores it."""
        return Game._meta.get_field(self.name)  # type: ignore[return-value]

    @property
    def default(self) -> object:
        """What holds in a game for which nobody chose anything."""
        return self.field.get_default()

    @property
    def may_change(self) -> bool:
        """Whether a GM may change it in a game that is not over."""
        return self.about.change is Change.BY_GM

    @property
    def label(self) -> str:
        """The label at the beginning of a line: "Length of movement phases"."""
        return self.about.label[:1].upper() + self.about.label[1:]

    @property
    def choices(self) -> Mapping[str, str]:
        """The values that can be chosen, each with its label; none where anything can be typed."""
        if self.about.choices:
            return self.about.choices()
        return {str(value): str(label) for value, label in self.field.flatchoices}

    def one_of(self, quote: str = "") -> str:
        """Say what can be chosen: each value, with its label if that says more."""
        said = [
            f"{quote}{value}{quote}" + ("" if self.about.choices else f": {label}")
            for value, label in self.choices.items()
        ]
        return f"One of {'; '.join(said)}."

    @property
    def option(self) -> str:
        """The option of `create_game`."""
        off = "no-" if self.default is True else ""
        return self.about.option or f"--{off}{self.name.replace('_', '-')}"

    def read(self, text: str) -> object:
        """Return the value that somebody typed. Raises BadInput."""
        text = text.strip()
        if self.optional and not text:
            return None
        if self.kind is dt.timedelta:
            return read_duration(text)
        if self.kind is int:
            return _number(text, self.about.label)
        return _rules(text) if self.kind is object else text

    @property
    def usual(self) -> str:
        """The default as somebody would type it, or what holds where nothing is chosen."""
        return self.about.empty if self.default in (None, "") else str(self.typed(self.default))

    def typed(self, value: object) -> object:
        """Return a value as somebody may type it: 72 hours as "72h"."""
        return short_text(value) if isinstance(value, dt.timedelta) else value

    def words(self, value: object) -> str:
        """Say a value: "3 days", "yes", "Tue Fri 20:00", "none"."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value in (None, ""):
            return self.about.empty
        if self.about.zero and not value:
            return self.about.zero
        if isinstance(value, dt.timedelta):
            return duration_text(value)
        if self.about.said:
            return self.about.said(str(value))
        return self.choices.get(str(value), str(value))


def setting_of(name: str, group: str, annotation: Any) -> Setting:
    """Return the setting of a row of the table, `name: Annotated[type, About(...)]`."""
    if get_origin(annotation) is Required:
        [annotation] = get_args(annotation)
    assert get_origin(annotation) is Annotated, f"{name} lacks what there is to say about it"
    kind, about = get_args(annotation)
    kinds = [one for one in get_args(kind) or (kind,) if one is not NoneType]
    return Setting(name, group, kinds[0], NoneType in get_args(kind), about)


def _number(text: str, label: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"“{text}” is not a number for: {label}.") from None


def _rules(text: str) -> object:
    """The name of a preset, or the judge's rules object as JSON."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadInput(f"These rules are no JSON object: {error}") from error
