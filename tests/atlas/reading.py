"""Reads finished pictures back: what is really drawn, not what was meant."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

Corner = tuple[int, int]
"""Tenths of a pixel."""
Ring = list[Corner]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""
SVG = "{http://www.w3.org/2000/svg}"


def rings(data: str) -> list[Ring]:
    """The closed outlines of path data made of M, l and z with whole numbers."""
    found = []
    for part in data.split("z"):
        numbers = [int(number) for number in re.findall(r"-?\d+", part)]
        if numbers:
            x = y = 0
            ring = []
            for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
                x, y = x + dx, y + dy
                ring.append((x, y))
            found.append(ring)
    return found


def province_rings(svg: str) -> dict[str, list[Ring]]:
    """The outlines of every province in an SVG."""
    return {
        path.get("id", "").removeprefix("province-"): rings(path.get("d", ""))
        for path in ET.fromstring(svg).iter(f"{SVG}path")
        if path.get("id", "").startswith("province-")
    }


def edges(ring: Ring) -> Iterator[tuple[Corner, Corner]]:
    """The pieces of a closed outline."""
    yield from pairwise([*ring, ring[0]])


def shared_edges(
    outlines: dict[str, list[Ring]],
) -> dict[frozenset[str], list[tuple[Corner, Corner]]]:
    """For each two provinces the pieces of outline that both have."""
    owners: dict[frozenset[Corner], set[str]] = defaultdict(set)
    for name, found in outlines.items():
        for ring in found:
            for edge in edges(ring):
                owners[frozenset(edge)].add(name)
    shared: dict[frozenset[str], list[tuple[Corner, Corner]]] = defaultdict(list)
    for piece, names in owners.items():
        if len(names) == 2:
            start, end = sorted(piece)
            shared[frozenset(names)].append((start, end))
    return shared


def length(pieces: Sequence[tuple[Corner, Corner]]) -> float:
    """How long they are together, in pixels."""
    return sum(math.dist(start, end) for start, end in pieces) / 10


def distance(one: list[Ring], other: list[Ring], enough: float) -> float:
    """The least distance of two outlines in pixels; `enough` or more is not measured exactly."""
    limit = enough * 10
    near = [edge for ring in other for edge in edges(ring)]
    left, top, right, bottom = _bounds(one)
    near = [edge for edge in near if _touches(edge, left, top, right, bottom, limit)]
    if not near:
        return enough
    corners = [corner for ring in one for corner in ring]
    left, top, right, bottom = _bounds(other)
    corners = [
        (x, y)
        for x, y in corners
        if left - limit < x < right + limit and top - limit < y < bottom + limit
    ]
    least = min((_to_edge(corner, edge) for corner in corners for edge in near), default=math.inf)
    return min(enough, least / 10)


def grown(outline: list[Ring], room: float) -> Box:
    """The box around an outline with so many pixels of room on each side."""
    left, top, right, bottom = _bounds(outline)
    return left / 10 - room, top / 10 - room, right / 10 + room, bottom / 10 + room


def _bounds(outline: list[Ring]) -> tuple[int, int, int, int]:
    xs = [x for ring in outline for x, _ in ring]
    ys = [y for ring in outline for _, y in ring]
    return min(xs), min(ys), max(xs), max(ys)


def _touches(
    edge: tuple[Corner, Corner], left: int, top: int, right: int, bottom: int, limit: float
) -> bool:
    (x0, y0), (x1, y1) = edge
    across = max(x0, x1) > left - limit and min(x0, x1) < right + limit
    return across and max(y0, y1) > top - limit and min(y0, y1) < bottom + limit


def _to_edge(corner: Corner, edge: tuple[Corner, Corner]) -> float:
    (x0, y0), (x1, y1) = edge
    dx, dy = x1 - x0, y1 - y0
    share = ((corner[0] - x0) * dx + (corner[1] - y0) * dy) / ((dx * dx + dy * dy) or 1)
    share = min(1.0, max(0.0, share))
    return math.hypot(corner[0] - x0 - dx * share, corner[1] - y0 - dy * share)


def overlap(one: Box, other: Box) -> float:
    """How many square pixels two boxes share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, down)


def box(middle: tuple[float, float], width: float, height: float) -> Box:
    """The box of a size around a middle."""
    x, y = middle
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2
