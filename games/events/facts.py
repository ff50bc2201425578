"""What an event says: a frozen dataclass for each kind, and how rows store it.

An `Event` row stores the values as JSON; `payload_of` writes them and `facts_of` reads them back,
so that nobody else needs to know a key. A field that equals its default is left out of the row. So
give a new field a default: rows of older games can still be read, and keep their digests.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

from django.db.models import QuerySet

from games.models import Event
from games.models.event import KIND_LABELS

SECRET = {"secret": True}
"""Metadata of a field that would reveal who plays what, or what a secret letter says."""

KINDS: dict[str, type[Facts]] = {}
"""The class of each kind; each registers itself when it is defined (see `games.events`)."""


def in_words(kind: str) -> str:
    """Write the code of a kind as people would: "co_gm_added" is "co-GM added"."""
    return re.sub(r"\bgm\b", "GM", kind.replace("_", " ").replace("co gm", "co-gm"))


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What one kind of event says. Subclasses name their kind and their sentence for the log.

    A sentence may name any field, and `title`, the phase's title. A field with the metadata
    `SECRET` is for the server alone: the log's proofs have only its digest.
    """

    kind: ClassVar[str]
    sentence: ClassVar[str]
    sentence_by: ClassVar[str] = ""
    """The sentence if a person (`by`) did what the clock or a player usually does."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" in vars(cls):
            KINDS[cls.kind] = cls
            words = in_words(cls.kind)
            KIND_LABELS[cls.kind] = words[:1].upper() + words[1:]

    @classmethod
    def of(cls, event: Event) -> Self:
        """Return what `event` says, as this class or a subclass. Raises TypeError for an event of
        another kind."""
        facts = facts_of(event)
        if not isinstance(facts, cls):
            raise TypeError(f"a {event.kind} event is no {cls.__name__}")
        return facts

    def template(self, *, by: bool) -> str:
        """Return its sentence, or the one for what a person did."""
        return (by and self.sentence_by) or self.sentence

    def said(self) -> Iterator[tuple[str, object]]:
        """Yield each field's name and value: moments as datetimes, several values as a tuple."""
        for name in _fields(self.kind):
            yield name, getattr(self, name)


@dataclass(frozen=True, kw_only=True)
class InPhase(Facts):
    """Something that happened in a phase."""

    phase: str
    """The phase's name: F1903R."""


@dataclass(frozen=True, kw_only=True)
class OfPower(InPhase):
    """Something that happened to one power."""

    power: str


@dataclass(frozen=True, kw_only=True)
class OfSeat(OfPower):
    """Something that happened to one player's tenure of a power."""

    seat: int = field(metadata=SECRET)
    """The tenure's key."""


class _Field(NamedTuple):
    key: str
    is_secret: bool
    is_moment: bool
    is_tuple: bool
    default: object


def facts_of(event: Event) -> Facts:
    """Return what the row says, as the class of its kind."""
    cls = KINDS[event.kind]
    stored = event.payload
    return cls(
        **{
            name: _from_json(one, stored[one.key])
            for name, one in _fields(event.kind).items()
            if one.key in stored
        }
    )


def payload_of(facts: Facts) -> dict[str, object]:
    """Return the JSON object that a row stores of `facts`."""
    return {
        one.key: _to_json(value)
        for name, one in _fields(facts.kind).items()
        if (value := getattr(facts, name)) != one.default or one.default is dataclasses.MISSING
    }


def rows_saying(events: QuerySet[Event], kind: type[Facts], **said: object) -> QuerySet[Event]:
    """Narrow `events` to one kind, and to those whose fields have these values."""
    fields = _fields(kind.kind)
    wanted = {f"payload__{fields[name].key}": _to_json(value) for name, value in said.items()}
    return events.filter(kind=kind.kind, **wanted)


def is_readable(event: Event) -> bool:
    """Say whether the row has every field of its kind; one that was tampered with may not."""
    try:
        facts_of(event)
    except (KeyError, TypeError, ValueError):
        return False
    return True


def secret_keys(kind: str) -> frozenset[str]:
    """Return the keys of a row's payload that nobody outside the server may read."""
    return frozenset(one.key for one in _fields(kind).values() if one.is_secret)


@cache
def _fields(kind: str) -> Mapping[str, _Field]:
    cls = KINDS[kind]
    hints = get_type_hints(cls)
    return {
        one.name: _Field(
            key=one.metadata.get("key", one.name),
            is_secret=one.metadata.get("secret", False),
            is_moment="datetime" in str(hints[one.name]),
            is_tuple=str(hints[one.name]).startswith("tuple"),
            default=one.default,
        )
        for one in dataclasses.fields(cls)
    }


def _from_json(one: _Field, value: Any) -> object:
    if one.is_moment and value is not None:
        return dt.datetime.fromisoformat(value)
    return tuple(value) if one.is_tuple else value


def _to_json(value: object) -> object:
    if isinstance(value, dt.datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value
