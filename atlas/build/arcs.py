"""The lines between the provinces: a coverage becomes arcs, each shared by two neighbours.

Because both read the same arc, a border of the finished drawing has no gap and can be read back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import shapely

from atlas.build.borders import Corner, edges_of

OUTSIDE = ""
"""The owner of everything beyond the frame."""
_THIN = 0.75
"""How many pixels `coverage_simplify` may move a line."""
_SHORT = 12.0
"""In pixels: a border longer than this is not shrunk to a corner. It is more than `borders.CORNER`,
so that one which mending could not get quite that short becomes a corner, too."""


@dataclass(frozen=True)
class Arc:
    """A line with one owner on each side, from node to node; a closed line ends where it begins."""

    corners: tuple[Corner, ...]
    owners: tuple[str, str]

    @property
    def length(self) -> float:
        return float(shapely.LineString(self.corners).length)


def arcs_of(areas: Mapping[str, shapely.Geometry]) -> list[Arc]:
    """Return the arcs of a coverage, thinned out."""
    names = sorted(areas)
    thin = shapely.coverage_simplify([areas[name] for name in names], _THIN)
    edges: dict[tuple[Corner, Corner], list[str]] = defaultdict(list)
    for name, shape in zip(names, thin, strict=True):
        for edge in edges_of(shape):
            edges[edge].append(name)
    sides = {
        edge: (owners[0], owners[1] if len(owners) > 1 else OUTSIDE)
        for edge, owners in edges.items()
    }
    return list(_walk(sides))


def _walk(sides: dict[tuple[Corner, Corner], tuple[str, str]]) -> Iterable[Arc]:
    """Follow the edges from node to node: a line ends where three or more owners meet."""
    at: dict[Corner, list[tuple[Corner, Corner]]] = defaultdict(list)
    for edge in sides:
        for corner in edge:
            at[corner].append(edge)
    nodes = {
        corner
        for corner, edges in at.items()
        if len(edges) != 2 or sides[edges[0]] != sides[edges[1]]
    }
    left = dict.fromkeys(sides)
    starts = [(node, edge) for node in sorted(nodes) for edge in at[node]]
    starts += [(edge[0], edge) for edge in sides]
    for start, first in starts:
        if first not in left:
            continue
        line, corner, edge = [start], start, first
        while True:
            del left[edge]
            corner = edge[1] if edge[0] == corner else edge[0]
            line.append(corner)
            onward = [e for e in at[corner] if e in left]
            if corner in nodes or not onward:
                break
            edge = onward[0]
        yield Arc(tuple(line), sides[first])


def without_false_borders(
    arcs: list[Arc], wanted: Collection[frozenset[str]], realm: Callable[[str], str]
) -> list[Arc]:
    """Return the arcs without borders that should not exist: each of these shrinks to a corner
    where four areas meet."""
    moved: dict[Corner, Corner] = {}
    kept = []
    for arc in arcs:
        is_playable = all(owner and realm(owner) for owner in arc.owners)
        if is_playable and frozenset(arc.owners) not in wanted and arc.length < _SHORT:
            middle = shapely.LineString(arc.corners).interpolate(0.5, normalized=True)
            ends = [moved.get(end, end) for end in (arc.corners[0], arc.corners[-1])]
            together = {*ends, *(end for end, goal in moved.items() if goal in ends)}
            moved |= dict.fromkeys(together, (middle.x, middle.y))
        else:
            kept.append(arc)
    return [
        Arc(
            (
                moved.get(arc.corners[0], arc.corners[0]),
                *arc.corners[1:-1],
                moved.get(arc.corners[-1], arc.corners[-1]),
            ),
            arc.owners,
        )
        for arc in kept
    ]


def round_corners(arc: Arc, tolerance: float, rounds: int = 3) -> Arc:
    """Return the arc with its corners cut off and its ends in place."""
    corners = np.array(shapely.LineString(arc.corners).simplify(tolerance).coords)
    for _ in range(rounds):
        if len(corners) < 3:
            break
        near = 0.75 * corners[:-1] + 0.25 * corners[1:]
        far = 0.25 * corners[:-1] + 0.75 * corners[1:]
        between = np.stack([near, far], 1).reshape(-1, 2)[1:-1]
        corners = np.vstack([corners[:1], between, corners[-1:]])
    line = shapely.LineString(corners).simplify(0.2)
    return Arc(tuple((float(x), float(y)) for x, y in line.coords), arc.owners)


def rings_of(arcs: list[Arc], owner: str) -> list[list[int]]:
    """Return the rings around an owner as indices of arcs; `~index` is an arc taken backwards."""
    own = [index for index, arc in enumerate(arcs) if owner in arc.owners]
    ends: dict[Corner, list[int]] = defaultdict(list)
    for index in own:
        ends[arcs[index].corners[0]].append(index)
        ends[arcs[index].corners[-1]].append(~index)
    left = set(own)
    rings = []
    for first in own:
        if first not in left:
            continue
        left.remove(first)
        ring = [first]
        start, corner = arcs[first].corners[0], arcs[first].corners[-1]
        while corner != start:
            step = next(i for i in ends[corner] if (i if i >= 0 else ~i) in left)
            index = step if step >= 0 else ~step
            left.remove(index)
            ring.append(step)
            corner = arcs[index].corners[-1 if step >= 0 else 0]
        rings.append(ring)
    return rings


def shape_of(arcs: list[Arc], rings: list[list[int]]) -> shapely.Geometry:
    """Return the rings as a shape; a ring within another is a hole in it."""
    shape: shapely.Geometry = shapely.Polygon()
    for ring in rings:
        corners: list[Corner] = []
        for step in ring:
            line = arcs[step].corners if step >= 0 else arcs[~step].corners[::-1]
            corners += line[:-1]
        if len(corners) > 2:
            shape = shape.symmetric_difference(shapely.Polygon(corners).buffer(0))
    return shape
