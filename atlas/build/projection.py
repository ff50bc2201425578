"""From degrees to the sheet: a conic projection, lenses over crowded regions, then pixels."""

from __future__ import annotations

import math

import numpy as np
import shapely

from atlas.build.plan import Plan, Spot

EARTH = 6371.0
"""The Earth's radius in km."""
_STEP = 15.0
"""Lines are cut into pieces of this many km before the lenses bend them."""
_SWAY = 12.0
"""How many km a border drawn by seeds strays from the straight line, so that it looks as if people
had walked it."""


class Surveyor:
    """Puts degrees or km on the sheet of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        south, north = (math.radians(p) for p in plan.projection.parallels)
        self._cone = math.log(math.cos(south) / math.cos(north)) / math.log(
            _isometric(north) / _isometric(south)
        )
        self._factor = math.cos(south) * _isometric(south) ** self._cone / self._cone
        self._middle = self._distance(plan.projection.latitude)
        left, bottom, right, top = plan.frame
        self.scale = plan.width / (right - left)
        self.height = float(round((top - bottom) * self.scale))
        self._lenses: list[tuple[np.ndarray, float, float]] = []
        for lens in plan.lenses:
            centre = self._bend(np.array([self.km(*lens.at)]))[0]
            self._lenses.append((centre, lens.strength, lens.radius))

    def _distance(self, latitude: float) -> float:
        clamped = min(max(latitude, -60.0), 89.5)
        distance: float = EARTH * self._factor / _isometric(math.radians(clamped)) ** self._cone
        return distance

    def km(self, longitude: float, latitude: float) -> tuple[float, float]:
        """Return where a spot lies, in km east and north of the projection's centre."""
        angle = self._cone * math.radians(longitude - self.plan.projection.meridian)
        distance = self._distance(latitude)
        return distance * math.sin(angle), self._middle - distance * math.cos(angle)

    def _bend(self, points: np.ndarray) -> np.ndarray:
        for centre, strength, radius in self._lenses:
            away = points - centre
            grown = 1 + strength * np.exp(-(away**2).sum(axis=1) / radius**2)
            points = centre + away * grown[:, None]
        return points

    def _pixels(self, points: np.ndarray) -> np.ndarray:
        bent = self._bend(points)
        left, _, _, top = self.plan.frame
        return np.column_stack(((bent[:, 0] - left), (top - bent[:, 1]))) * self.scale

    def on_sheet(self, shape: shapely.Geometry) -> shapely.Geometry:
        """Return a shape given in km as it lies on the sheet, in pixels."""
        return shapely.transform(shapely.segmentize(shape, _STEP), self._pixels).buffer(0)

    def spot(self, spot: Spot) -> shapely.Point:
        """Return a spot on the sheet."""
        return shapely.Point(self._pixels(np.array([self.km(*spot)]))[0])


def bend_edges(shape: shapely.Geometry) -> shapely.Geometry:
    """Return a shape in km with its straight edges bent by waves, which are always the same.

    The whole plane is bent, so what touched still touches.
    """
    waves = np.arange(22)
    length = 90 + 170 * ((waves * 0.618034) % 1)
    heading = waves * 2.399963
    east, north = np.cos(heading) / length, np.sin(heading) / length
    amount = _SWAY / math.sqrt(len(waves) / 2)

    def bend(points: np.ndarray) -> np.ndarray:
        phase = 2 * math.pi * (np.outer(points[:, 0], east) + np.outer(points[:, 1], north))
        shifts = [np.sin(phase + waves * turn).sum(axis=1) for turn in (1.7, 2.9)]
        return points + amount * np.column_stack(shifts)

    return shapely.transform(shapely.segmentize(shape, 12.0), bend).buffer(0)


def _isometric(latitude: float) -> float:
    return math.tan(math.pi / 4 + latitude / 2)
