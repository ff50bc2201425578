"""A coarse grid of names, units and stars, which lines and units should avoid."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from atlas.shapes import Curve
from atlas.sheet import Point, Sheet

_CELL = 4
"""Width and height of a cell of the grid, in pixels."""
_NAME, _UNIT, _STAR = 3, 2, 1
"""What it costs a line to cross a name, a unit or a star, per cell."""
_BENDS = (1.0, -1.0, 0.15, 2.2, -2.2, 3.2, -3.2)
"""The bends to try, as multiples of the one we would like."""
_SAMPLES = tuple(k / 12 for k in range(1, 12))
_ANGLES = tuple(k * math.pi / 8 for k in range(16))
_BESIDE = (33.0, 40.0, 48.0)
"""How far from its attacker a dislodged unit may stand."""
_CLEAR = 56.0
"""How far it should stand from where it may go. Nearer, it would hide the arrow of its retreat, and
look as if it had stood there before."""


class Obstacles:
    """The things on a sheet, and how much of them a line or a unit would cover."""

    def __init__(
        self, sheet: Sheet, names: Mapping[str, float], sizes: Mapping[str, float]
    ) -> None:
        """`names` has the width in pixels of each name that is written, `sizes` the height of its
        letters."""
        self._columns = math.ceil(sheet.width / _CELL) + 2
        self._rows = math.ceil(sheet.height / _CELL) + 2
        self._cells = bytearray(self._columns * self._rows)
        self._width, self._height = sheet.width, sheet.height
        for key, slot in sheet.slots.items():
            if key not in names:
                continue
            if slot.centre:
                self._mark(slot.centre, 9, 8, _STAR)
            self._mark(slot.name, names[key] / 2 + 2, sizes[key] * 0.42, _NAME)

    def with_units(self, spots: Iterable[Point]) -> Obstacles:
        """Return these obstacles with units at some spots added."""
        more = copy(self)
        more._cells = bytearray(self._cells)
        for spot in spots:
            more.add_unit(spot)
        return more

    def add_unit(self, spot: Point) -> None:
        """Add a unit."""
        self._mark(spot, 17, 13, _UNIT)

    def add_sign(self, spot: Point) -> None:
        """Add a small sign on a line."""
        self._mark(spot, 9, 9, _UNIT)

    def _mark(self, middle: Point, half_width: float, half_height: float, weight: int) -> None:
        left, right = self._span(middle[0], half_width, self._columns)
        top, bottom = self._span(middle[1], half_height, self._rows)
        filled = bytes([weight]) * (right - left)
        for row in range(top, bottom):
            first = row * self._columns + left
            last = first + right - left
            if max(self._cells[first:last], default=0) <= weight:
                self._cells[first:last] = filled

    @staticmethod
    def _span(middle: float, half: float, most: int) -> tuple[int, int]:
        first = max(0, int((middle - half) / _CELL))
        return first, max(first, min(most, int((middle + half) / _CELL) + 1))

    def crossed(self, points: Sequence[Point]) -> int:
        """Return how much a line through these points covers; much if it leaves the sheet."""
        cells, columns, total = self._cells, self._columns, 0
        for x, y in points:
            if 0 <= x < self._width and 0 <= y < self._height:
                total += cells[int(y / _CELL) * columns + int(x / _CELL)]
            else:
                total += 6
        return total

    def covered(self, middle: Point, half_width: float, half_height: float) -> int:
        """Return how much a box covers."""
        left, right = self._span(middle[0], half_width, self._columns)
        top, bottom = self._span(middle[1], half_height, self._rows)
        starts = range(top * self._columns, bottom * self._columns, self._columns)
        return sum(sum(self._cells[row + left : row + right]) for row in starts)

    def names_under(self, tip: Point) -> int:
        """Return how many cells of names an arrow's head at this spot would touch."""
        left, right = self._span(tip[0], 8, self._columns)
        top, bottom = self._span(tip[1], 8, self._rows)
        starts = range(top * self._columns, bottom * self._columns, self._columns)
        return sum(self._cells[row + left : row + right].count(_NAME) for row in starts)

    def beside(self, spot: Point, ways_out: Sequence[Point] = ()) -> Point:
        """Return the place next to a spot where a unit covers least, at a distance from where it
        may go."""
        best, least = spot, math.inf
        for radius in _BESIDE:
            for angle in _ANGLES:
                x = spot[0] + radius * math.cos(angle)
                y = spot[1] + radius * 0.82 * math.sin(angle)
                if not (27 < x < self._width - 27 and 25 < y < self._height - 25):
                    continue
                cost = self.covered((x, y), 23, 18) + radius / 4
                cost += sum(max(0.0, _CLEAR - math.dist((x, y), out)) for out in ways_out)
                if cost < least:
                    best, least = (round(x, 1), round(y, 1)), cost
        return best

    def way(
        self,
        start: Point,
        end: Point,
        bend: float,
        gaps: tuple[float, float],
        *,
        head: bool = False,
    ) -> Curve:
        """Return the curve between two spots that crosses least; take the first bend that is free.

        `gaps` is how far the curve stays from its ends. With `head` it ends in an arrow's head,
        which should not lie on a name.
        """
        best, least = None, math.inf
        for factor in _BENDS:
            curve = arc_between(start, end, bend * factor, gaps)
            cost = self.crossed([curve.point(t) for t in _SAMPLES])
            if head:
                cost += 4 * self.names_under(curve.end)
            if not cost:
                return curve
            if cost + abs(factor) < least:
                best, least = curve, cost + abs(factor)
        assert best is not None
        return best


def arc_between(start: Point, end: Point, bend: float, gaps: tuple[float, float]) -> Curve:
    """Return a curve that leaves the straight line by `bend` times its length, and stops short of
    its ends."""
    (x0, y0), (x1, y1) = start, end
    across, down = x1 - x0, y1 - y0
    length = math.hypot(across, down) or 1.0
    control = (x0 + x1) / 2 - down * bend, (y0 + y1) / 2 + across * bend
    first, last = (min(gap, length * 0.32) for gap in gaps)
    return Curve(_toward(start, control, first), control, _toward(end, control, last))


def _toward(start: Point, end: Point, distance: float) -> Point:
    length = math.dist(start, end) or 1.0
    share = distance / length
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
