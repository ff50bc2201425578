"""Fog of war on a picture: a veil over what a power does not see, grey on land, dark on water."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import lru_cache

from atlas.palette import mix
from atlas.scene import Stage
from atlas.shapes import Group, Layer, Polygon, Shape, Stroke, Track
from atlas.sheet import Area, Point, Ring
from atlas.tokens import BORDER, COAST, LAND, NEUTRAL, SEA, SEA_BORDER
from judge import Province

VEILED_LAND = NEUTRAL
VEILED_SEA = mix(SEA_BORDER, SEA, 0.5)
_LINES = {"coast": (COAST, 1.3), "border": (BORDER, 1.1), "sea": (SEA_BORDER, 1.3)}


def veil(stage: Stage, seen: Container[str], tints: Mapping[str, str]) -> Layer:
    """Return the layer over everything but the provinces seen, which are given by full name.

    It also covers lines, and whatever lies inside a covered area, such as an island; so we draw
    these on it again.
    """
    sheet = stage.sheet
    shapes: list[Shape] = []
    covered: set[int] = set()
    for number, (key, ring, around) in enumerate(_rings(stage)):
        province = stage.provinces.get(key)
        hidden = province is not None and _may_be_seen(province) and province.name not in seen
        if hidden:
            covered.add(number)
        if hidden or not covered.isdisjoint(around):
            fill = _colour(stage, key, tints, hidden=hidden)
            edge = BORDER if sheet.is_diagram else ""
            shapes.append(Polygon(ring, fill, edge, 1.3 if edge else 0.0))
    return Layer("veil", [Group([*shapes, *_lines(stage)], title="Out of sight")])


@lru_cache(maxsize=16)
def _rings(stage: Stage) -> tuple[tuple[str, Ring, frozenset[int]], ...]:
    """Return all outlines of areas, the largest first, each with the numbers of those around it.

    They are the same for all pictures, and finding them is slow.
    """
    rings = [
        (key, ring)
        for key, area in stage.sheet.areas.items()
        for ring in area.rings
        if len(ring) > 2 and not _is_hole(ring, area)
    ]
    rings.sort(key=lambda one: -_spread(one[1]))
    return tuple(
        (key, ring, frozenset(n for n in range(number) if _holds(rings[n][1], ring[0])))
        for number, (key, ring) in enumerate(rings)
    )


@lru_cache(maxsize=16)
def _lines(stage: Stage) -> tuple[Stroke, ...]:
    """Return the lines of a drawing once more; in a diagram, the edge of each box."""
    if stage.sheet.is_diagram:
        return ()
    found = [line for line in stage.sheet.lines if line.kind in _LINES]
    return tuple(Stroke(Track(line.points), *_LINES[line.kind]) for line in found)


def _may_be_seen(province: Province) -> bool:
    return province.kind != "impassable"


def _is_hole(ring: Ring, area: Area) -> bool:
    others = (other for other in area.rings if other is not ring and len(other) > 2)
    return any(_holds(other, ring[0]) for other in others)


def _spread(ring: Ring) -> float:
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return (max(xs) - min(xs)) * (max(ys) - min(ys))


def _holds(ring: Ring, spot: Point) -> bool:
    """Tell whether a spot lies within a ring: a ray from it crosses it an odd number of times."""
    x, y = spot
    within = False
    for (x0, y0), (x1, y1) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
            within = not within
    return within


def _colour(stage: Stage, key: str, tints: Mapping[str, str], *, hidden: bool) -> str:
    kind = stage.sheet.areas[key].kind
    if kind == "lake":  # the land around it is hidden, and nobody stands on it
        return VEILED_SEA
    if kind == "sea":
        return VEILED_SEA if hidden else SEA
    if hidden:
        return VEILED_LAND
    if kind == "neutral":
        return NEUTRAL
    return stage.colours[tints[key]].tint if key in tints else LAND
