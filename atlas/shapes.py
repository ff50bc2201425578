"""The shapes of which pictures are made. The painters of SVG and of PNG draw the same ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from atlas.fonts import Face
from atlas.sheet import Point

Dash = tuple[float, ...]
SOLID: Dash = ()


class Curve(NamedTuple):
    """A quadratic Bézier curve."""

    start: Point
    control: Point
    end: Point

    def point(self, t: float) -> Point:
        """Return where the curve is at `t`, 0 to 1."""
        u = 1 - t
        a, b, c = u * u, 2 * u * t, t * t
        return (
            a * self.start[0] + b * self.control[0] + c * self.end[0],
            a * self.start[1] + b * self.control[1] + c * self.end[1],
        )

    def heading(self, t: float) -> float:
        """Return the direction in which the curve goes at `t`, in radians."""
        u = 1 - t
        x = u * (self.control[0] - self.start[0]) + t * (self.end[0] - self.control[0])
        y = u * (self.control[1] - self.start[1]) + t * (self.end[1] - self.control[1])
        return math.atan2(y, x)

    def until(self, t: float) -> Curve:
        """Return the first part of the curve (de Casteljau)."""
        (x0, y0), (x1, y1) = self.start, self.control
        return Curve(self.start, (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t), self.point(t))

    def flat(self) -> tuple[Point, ...]:
        """Return the curve as a line of short pieces."""
        length = math.dist(self.start, self.control) + math.dist(self.control, self.end)
        pieces = max(4, min(20, round(length / 9)))
        return tuple(self.point(k / pieces) for k in range(pieces + 1))


class Track(NamedTuple):
    """A line through many points, for an army that several fleets carry."""

    points: tuple[Point, ...]

    def point(self, t: float) -> Point:
        """Return where the track is at `t`, from 0 to 1 of its length."""
        return self._at(t)[0]

    def heading(self, t: float) -> float:
        """Return the direction in which the track goes at `t`, in radians."""
        _, (x0, y0), (x1, y1) = self._at(t)
        return math.atan2(y1 - y0, x1 - x0)

    def until(self, t: float) -> Track:
        """Return the first part of the track."""
        end, start, _ = self._at(t)
        return Track((*self.points[: self.points.index(start) + 1], end))

    def flat(self) -> tuple[Point, ...]:
        """Return the points."""
        return self.points

    def _at(self, t: float) -> tuple[Point, Point, Point]:
        pieces = list(zip(self.points, self.points[1:], strict=False))
        left = t * sum(math.dist(a, b) for a, b in pieces)
        for a, b in pieces:
            length = math.dist(a, b)
            if left <= length and length:
                share = left / length
                return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share), a, b
            left -= length
        return pieces[-1][1], *pieces[-1]


Path = Curve | Track


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line drawn along a path."""

    path: Path
    colour: str
    width: float
    dash: Dash = SOLID
    """Lengths of strokes and gaps in turn; a first length of 0 makes round dots."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight line."""

    start: Point
    end: Point
    colour: str
    width: float


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled shape with an edge."""

    points: tuple[Point, ...]
    fill: str
    edge: str = ""
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled or not."""

    centre: Point
    radius: float
    fill: str = ""
    edge: str = ""
    width: float = 0.0
    dash: Dash = SOLID


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `at` is its left end or its middle on the base line."""

    at: Point
    text: str
    size: float
    colour: str
    face: Face = "bold"
    anchor: Literal["start", "middle"] = "middle"
    halo: str = ""
    width: float | None = None
    """How wide an SVG draws it, whatever letters there are; None if that does not matter."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A unit: a block for an army, a ship for a fleet, with its power's two letters."""

    at: Point
    kind: str
    """"A" or "F"."""
    power: str
    tilted: bool = False
    """Whether it is drawn as driven out."""
    faded: bool = False
    """Whether it is drawn as leaving the board."""


Shape = Stroke | Segment | Polygon | Disc | Text | Badge


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together, for instance one order's; in SVG a `<g>`."""

    shapes: Sequence[Shape]
    key: str = ""
    """The first part of the group's id, unique within the layer."""
    title: str = ""
    """What we tell a reader who points at it, or cannot see it."""
    unit: str = ""
    """The id of the province whose unit this is about."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Groups drawn together. Layers are drawn in turn: a later one covers earlier ones."""

    name: str
    groups: Sequence[Group]


def turn_and_move(points: Iterable[Point], at: Point, angle: float) -> tuple[Point, ...]:
    """Return points given around 0, 0, turned by an angle in radians and moved to `at`."""
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((at[0] + cos * x - sin * y, at[1] + sin * x + cos * y) for x, y in points)
