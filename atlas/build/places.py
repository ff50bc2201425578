"""Where each province's name, units and centre go: a search finds places where nothing covers
anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import shapely

from atlas.build.natural_earth import parts

Point = tuple[float, float]
UNIT = (42.0, 32.0)
"""Width and height of the box a unit needs."""
CENTRE = 8.0
"""Radius of a supply centre's star."""
_MARGIN = 9.0
"""How many pixels at the edge of the sheet stay empty."""
_SEAS_WAIT = 6000.0
"""In square pixels: a sea counts as larger by this, so that land, which has less room, chooses
first."""


@dataclass(frozen=True)
class Site:
    """A province to find places in."""

    shape: shapely.Geometry
    name_size: tuple[float, float]
    """Width and height of its name's box."""
    is_sea: bool
    has_centre: bool
    wish: Point | None
    """Where its unit should stand, if a person chose a place."""
    shores: Mapping[str, shapely.Geometry]
    """Per separate coast: the line where it meets its seas."""


@dataclass
class Places:
    """The middles of everything that stands in a province, in pixels."""

    name: Point
    unit: Point
    coasts: dict[str, Point]
    centre: Point | None = None


class _Grid:
    """The possible spots of one province."""

    def __init__(self, shape: shapely.Polygon, frame: shapely.Polygon, step: float) -> None:
        left, top, right, bottom = shape.bounds
        columns, rows = np.meshgrid(
            np.arange(left - 14, right + 14, step), np.arange(top - 10, bottom + 10, step)
        )
        spots = shapely.points(columns.ravel(), rows.ravel())
        keep = shapely.contains(frame, spots) & (shapely.distance(spots, shape) < 12)
        self.spots = spots[keep]
        self.x, self.y = shapely.get_x(self.spots), shapely.get_y(self.spots)
        middle = shapely.maximum_inscribed_circle(shape, 1).coords[0]
        away = np.hypot(self.x - middle[0], self.y - middle[1])
        self.off_centre = away / (1 + shape.area**0.5)

    def boxes(self, size: tuple[float, float], room: float) -> np.ndarray:
        half_width, half_height = (size[0] + room) / 2, (size[1] + room) / 2
        return shapely.box(
            self.x - half_width, self.y - half_height, self.x + half_width, self.y + half_height
        )

    def point(self, index: int) -> Point:
        return round(float(self.x[index]), 1), round(float(self.y[index]), 1)


def find_places(
    sites: Mapping[str, Site], width: float, height: float, reserved: Iterable[shapely.Geometry]
) -> dict[str, Places]:
    """Return places for all sites; the smallest province chooses first, stars come last.

    `reserved` is ground that the heading needs, or lines that nothing should cover.
    """
    frame = shapely.box(_MARGIN, _MARGIN, width - _MARGIN, height - _MARGIN)
    taken: list[shapely.Geometry] = [*reserved]
    found: dict[str, Places] = {}
    bodies = {key: _body(site.shape, frame) for key, site in sites.items()}
    order = sorted(sites, key=lambda key: bodies[key].area + _SEAS_WAIT * sites[key].is_sea)
    for key in order:
        found[key] = _place(sites[key], bodies[key], frame, taken)
    for key in order:
        if sites[key].has_centre:
            found[key].centre = _place_centre(bodies[key], found[key].unit, taken)
    return found


def _body(shape: shapely.Geometry, frame: shapely.Polygon) -> shapely.Polygon:
    return max(parts(shape.intersection(frame)), key=lambda part: part.area)


def _place(
    site: Site, body: shapely.Polygon, frame: shapely.Polygon, taken: list[shapely.Geometry]
) -> Places:
    left, top, right, bottom = body.bounds
    grid = _Grid(body, frame, max(2.5, ((right - left) * (bottom - top) / 1100) ** 0.5))
    units, names = grid.boxes(UNIT, 3), grid.boxes(site.name_size, 4)
    beyond_unit, beyond_name = _outside(body, units), _outside(body, names)
    clash_unit, clash_name = _overlap(units, taken), _overlap(names, taken)
    own: list[shapely.Geometry] = []
    coasts: dict[str, Point] = {}
    for coast, shore in site.shores.items():
        is_line = shore.geom_type == "LineString"
        middle = shore.interpolate(0.5, normalized=True) if is_line else shore.centroid
        cost = 0.06 * shapely.distance(grid.spots, shore) + 3 * beyond_unit + 0.05 * clash_unit
        cost += 0.012 * np.hypot(grid.x - middle.x, grid.y - middle.y)
        cost += 0.05 * _overlap(units, own)
        best = int(np.argmin(cost))
        coasts[coast] = grid.point(best)
        own.append(units[best])
    unit_cost = 5 * beyond_unit + 0.03 * clash_unit + 0.9 * grid.off_centre
    unit_cost += 0.03 * _overlap(units, own)
    if site.wish:
        unit_cost += 0.2 * np.hypot(grid.x - site.wish[0], grid.y - site.wish[1])
    name_cost = 3.2 * beyond_name + 0.03 * clash_name + 0.5 * grid.off_centre
    name_cost += 0.03 * _overlap(names, own)
    unit, name = _best_pair(grid, unit_cost, name_cost, site.name_size)
    taken += [*own, units[unit], names[name]]
    return Places(grid.point(name), grid.point(unit), coasts)


def _best_pair(
    grid: _Grid, unit_cost: np.ndarray, name_cost: np.ndarray, name_size: tuple[float, float]
) -> tuple[int, int]:
    """Return the spots for unit and name that are best together, without one covering the other."""
    good_units, good_names = np.argsort(unit_cost)[:160], np.argsort(name_cost)[:200]
    across = np.abs(grid.x[good_units][:, None] - grid.x[good_names][None])
    down = np.abs(grid.y[good_units][:, None] - grid.y[good_names][None])
    over = np.maximum(0, (name_size[0] + UNIT[0]) / 2 + 3 - across) * np.maximum(
        0, (name_size[1] + UNIT[1]) / 2 + 2 - down
    )
    total = unit_cost[good_units][:, None] + name_cost[good_names][None] + 0.05 * over
    unit, name = np.unravel_index(int(np.argmin(total)), total.shape)
    return int(good_units[unit]), int(good_names[name])


def _place_centre(body: shapely.Polygon, unit: Point, taken: list[shapely.Geometry]) -> Point:
    left, top, right, bottom = body.bounds
    columns, rows = np.meshgrid(np.arange(left, right, 2.5), np.arange(top, bottom, 2.5))
    spots = shapely.points(columns.ravel(), rows.ravel())
    spots = spots[shapely.contains(body, spots)]
    discs = shapely.buffer(spots, CENTRE + 1)
    x, y = shapely.get_x(spots), shapely.get_y(spots)
    cost = 0.2 * _overlap(discs, taken) + 40 * _outside(body, discs)
    cost += 0.06 * np.hypot(x - unit[0], y - unit[1])
    best = int(np.argmin(cost))
    taken.append(discs[best])
    return round(float(x[best]), 1), round(float(y[best]), 1)


def _outside(body: shapely.Polygon, boxes: np.ndarray) -> np.ndarray:
    """Return how much of each box lies outside the province, from 0 to 1."""
    shares: np.ndarray = shapely.area(shapely.difference(boxes, body)) / shapely.area(boxes)
    return shares


def _overlap(boxes: np.ndarray, others: list[shapely.Geometry]) -> np.ndarray:
    """Return how many square pixels each box shares with the others."""
    total = np.zeros(len(boxes))
    around = shapely.box(*shapely.total_bounds(boxes))
    for other in (other for other in others if around.intersects(other)):
        total += shapely.area(shapely.intersection(boxes, other))
    return total
