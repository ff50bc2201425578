"""Units on the board."""

from __future__ import annotations

from dataclasses import dataclass, field
from sys import intern
from typing import TypedDict

from judge.places import Location, Province, WrittenKind


@dataclass(frozen=True, slots=True)
class Unit:
    """An army or a fleet where it stands, e.g. `Unit("A", paris, "France")`; prints as "A Paris".

    An order may name a unit that does not exist. It is then a Unit as it was written: with the kind
    "" when no letter was given, and with the power "" when nobody stands there.
    """

    kind: WrittenKind
    location: Location
    power: str = ""
    name: str = field(init=False, compare=False)
    """As people write it: "A Paris"."""
    at: int = field(init=False, compare=False)
    """The index of its province, which every phase asks for many times."""

    kin: list[Unit | None] = field(init=False, compare=False)
    """Per location: the unit of this kind and power that stands there, as far as the variant has
    made it (`Variant.unit`); empty for a unit that no variant made."""

    takes: dict[Province, str] = field(init=False, compare=False)
    """The centre in which it stands, with its power as the owner; empty anywhere else."""

    def __post_init__(self) -> None:
        name = f"{self.kind} {self.location.name}" if self.kind else self.location.name
        # Names are compared often; two that are the same object need no look at their letters.
        object.__setattr__(self, "name", intern(name))
        object.__setattr__(self, "at", self.location.province.index)
        object.__setattr__(self, "kin", [])
        province = self.location.province
        object.__setattr__(self, "takes", {province: self.power} if province.center else {})

    def __reduce__(self) -> tuple[type[Unit], tuple[WrittenKind, Location, str]]:
        # Without its kin.
        return Unit, (self.kind, self.location, self.power)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Unit: {self.name} ({self.power})>" if self.power else f"<Unit: {self.name}>"


class DislodgedJson(TypedDict):
    """A unit that must retreat or disband: `unit` is "A Vienna", `retreats` where it may go."""

    power: str
    unit: str
    retreats: list[str]


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that was driven out of its province, and the places it may retreat to."""

    unit: Unit
    retreats: tuple[Location, ...]

    def to_json(self) -> DislodgedJson:
        """Return the unit as a state has it."""
        retreats = [place.name for place in self.retreats]
        return {"power": self.unit.power, "unit": self.unit.name, "retreats": retreats}
