"""Links between neighbours that do not touch on the drawing: an arrow with two heads."""

from __future__ import annotations

import math
from collections.abc import Iterator

from atlas.scene import Stage
from atlas.shapes import Group, Layer, Polygon, Segment
from atlas.sheet import Crossing, Point
from atlas.tokens import COAST, SHORE

_WIDTH = 3.0
_HEAD = (9.0, 5.5)
"""How long a head is, and half how wide; less on a short arrow."""
_EDGE = 2.0
"""Pixels of light round the arrow."""


def crossings_of(stage: Stage) -> Layer:
    """Return the layer of a sheet's links, each with its provinces' names for screen readers."""
    return Layer("crossings", [_group(stage, link) for link in stage.sheet.crossings])


def _group(stage: Stage, link: Crossing) -> Group:
    one, other = (str(stage.provinces[key]) for key in link.between)
    return Group(list(_arrow(*link.ends)), "-".join(link.between), f"{one} borders {other}")


def _arrow(start: Point, end: Point) -> Iterator[Segment | Polygon]:
    """Yield the arrow, the light behind it first."""
    length = math.dist(start, end) or 1.0
    ahead = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    back = (-ahead[0], -ahead[1])
    size = min(1.0, length / 3 / _HEAD[0])
    inner = (_shift(start, ahead, _HEAD[0] * size - 1), _shift(end, back, _HEAD[0] * size - 1))
    yield Segment(*inner, SHORE, _WIDTH + 2 * _EDGE)
    for tip, way in ((start, back), (end, ahead)):
        yield Polygon(_head(tip, way, size), COAST, SHORE, 2 * _EDGE)
    yield Segment(*inner, COAST, _WIDTH)
    for tip, way in ((start, back), (end, ahead)):
        yield Polygon(_head(tip, way, size), COAST)


def _head(tip: Point, way: Point, size: float) -> tuple[Point, ...]:
    long, half = (part * size for part in _HEAD)
    foot = _shift(tip, way, -long)
    return tip, _shift(foot, (-way[1], way[0]), half), _shift(foot, (way[1], -way[0]), half)


def _shift(spot: Point, way: Point, far: float) -> Point:
    return round(spot[0] + way[0] * far, 1), round(spot[1] + way[1] * far, 1)
