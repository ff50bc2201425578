"""The parameters of an act: fields of a frozen dataclass, each with the question to ask a person.

    @dataclass(frozen=True, kw_only=True)
    class Parameters:
        later: Annotated[dt.timedelta, Ask("How much later", "Like 24h, 3d, 1d12h.")]
        why: Why

A field with a default may be left out. The admin draws its forms from this.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from games.errors import BadInput


@dataclasses.dataclass(frozen=True, slots=True)
class Ask:
    """How to ask a person for one parameter."""

    label: str
    help: str = ""
    missing: str = ""
    """What to tell somebody who left it out."""
    longest: int | None = None
    """How many characters it may have."""
    rows: int = 0
    """How many lines of text it has room for; 0 for a single line."""
    proposed: str = ""
    """What a form proposes, written as a person would type it."""
    proposes: Callable[[Any], str] | None = None
    """What a form proposes, if that depends on the game or player."""
    read: Callable[[str], object] | None = None
    """Makes the value from what a person typed. Raises BadInput; if None, the text is the value."""
    is_moment: bool = False
    """A day, or a day and a time, for which a page offers a calendar."""
    note: Callable[[Any], str] | None = None
    """What to say about it in this game or for this player, besides `help`."""
    choices: Callable[[Any, dt.datetime], Mapping[str, str]] | None = None
    """The values to choose from now, in this game or for this player, each with its label."""


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One field of an act's dataclass."""

    name: str
    ask: Ask
    required: bool
    many: bool
    """Whether several of its choices can be chosen."""
    yes_or_no: bool = False
    """Whether a page shows a box to tick."""

    @property
    def missing(self) -> str:
        """What to tell somebody who left it out."""
        return self.ask.missing or f"Please say {self.ask.label.lower()}."

    def check(self, value: object) -> None:
        """Raise BadInput if it is missing or too long."""
        if self.required and value in (None, "", ()):
            raise BadInput(self.missing)
        if self.ask.longest and isinstance(value, str) and len(value) > self.ask.longest:
            raise BadInput(f"{self.ask.label}: please use at most {self.ask.longest} characters.")


def lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text, without empty ones."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def parameters_of(kind: type) -> tuple[Parameter, ...]:
    """Return what a dataclass of parameters asks for, in the order of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        _parameter(field, *get_args(hints[field.name])) for field in dataclasses.fields(kind)
    )


def _parameter(field: dataclasses.Field[Any], kind: object, ask: Ask) -> Parameter:
    return Parameter(
        name=field.name,
        ask=ask,
        required=field.default is dataclasses.MISSING,
        many=ask.choices is not None and get_origin(kind) is tuple,
        yes_or_no=kind is bool,
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Nothing:
    """An act that needs no parameters."""


ROOM_FOR_WHY = 200

Why = Annotated[
    str,
    Ask(
        "Why",
        "One sentence; all players are told.",
        missing="Please say why: all players are told.",
        longest=ROOM_FOR_WHY,
    ),
]
"""The reason for an act, which all players read."""

WhyIfYouLike = Annotated[
    str, Ask("Why", "One sentence, if you like; all players are told.", longest=ROOM_FOR_WHY)
]
