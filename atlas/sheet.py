"""A sheet: the ground a board is drawn on, and where everything on it has its place.

A sheet comes from a committed drawing (`atlas.boards`) or from a layout as a diagram
(`atlas.diagram`); code that draws on it does not have to know which. All lengths are pixels of a
sheet as wide as `width`, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from judge import Location

Point = tuple[float, float]
Ring = tuple[Point, ...]
LineKind = Literal["coast", "border", "sea", "by land", "by sea", "by both"]
"""Outlines of a drawing; links of a diagram that armies, fleets or both may pass."""
LETTERED_FOR = 1200
"""On sheets up to this width, heading and legend are as large as on the standard board."""
LARGEST_NAMES = 1.3
WIDEST = 1000
WIDEST_DIAGRAM = 1100
"""The most pixels across a picture in a mail: a diagram of 180 provinces then has 140 kB."""
AreaKind = Literal["land", "sea", "neutral", "lake"]


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a province's name, unit and star stand (the middle of each)."""

    name: Point
    unit: Point
    centre: Point | None = None
    coasts: Mapping[str, Point] = field(default_factory=dict)
    """Per separate coast: where a fleet there stands."""


@dataclass(frozen=True, slots=True)
class Area:
    """A province or other ground; an outline inside another is a hole."""

    kind: AreaKind
    rings: tuple[Ring, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the ground."""

    kind: LineKind
    points: Ring


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two neighbouring provinces that do not touch on the drawing; a link joins them."""

    between: tuple[str, str]
    ends: tuple[Point, Point]


@dataclass(frozen=True, eq=False)
class Sheet:
    """A board's drawing, made once for each board and compared by identity."""

    width: int
    height: int
    slots: Mapping[str, Slot]
    """By the id of the province."""
    areas: Mapping[str, Area]
    """By the id of a province, or a name for other ground."""
    lines: tuple[Line, ...]
    homelands: Mapping[str, str] = field(default_factory=dict)
    """Provinces without a centre that are a power's own country at the start."""
    is_diagram: bool = False
    crossings: tuple[Crossing, ...] = ()
    passages: Mapping[str, Ring] = field(default_factory=dict)
    """Per railway or canal that the board may have, by its id: its line."""

    @property
    def lettering(self) -> float:
        """How much larger heading and legend are than on the standard board: the picture of a large
        sheet is shown much smaller than it is drawn."""
        return max(1.0, self.width / LETTERED_FOR)

    @property
    def name_scale(self) -> float:
        """How much larger names are, if a diagram's boxes have room for that."""
        return min(LARGEST_NAMES, self.lettering) if self.is_diagram else 1.0

    @property
    def picture_width(self) -> int:
        """How wide a picture is in pixels: large sheets are shrunk, for mails."""
        return min(self.width, WIDEST_DIAGRAM if self.is_diagram else WIDEST)

    def lines_of(self, kind: str) -> list[Line]:
        """Return the lines of one kind."""
        return [line for line in self.lines if line.kind == kind]

    def at(self, place: Location) -> Point:
        """Return where a unit stands."""
        slot = self.slots[place.province.id]
        return slot.coasts.get(place.coast or "", slot.unit)
