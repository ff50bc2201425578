"""Natural Earth's countries (1:50m, public domain) from the TopoJSON file of npm's world-atlas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import shapely

from atlas.build.projection import Surveyor

Ring = list[tuple[float, float]]


def read_countries(path: Path, surveyor: Surveyor) -> dict[str, list[shapely.Polygon]]:
    """Return each country's polygons in km of the projection, by its English name."""
    topology = json.loads(path.read_text(encoding="utf-8"))
    arcs = [_degrees(arc, topology["transform"]) for arc in topology["arcs"]]
    countries: dict[str, list[shapely.Polygon]] = {}
    for country in topology["objects"]["countries"]["geometries"]:
        for rings in _polygons(country, arcs):
            if _in_region(rings[0], surveyor.plan.region):
                shape = shapely.Polygon(*_in_km(rings, surveyor)).buffer(0)
                name = country["properties"]["name"]
                countries.setdefault(name, []).extend(parts(shape))
    return countries


def parts(shape: shapely.Geometry) -> list[shapely.Polygon]:
    """Return the polygons that a shape consists of."""
    return [
        part
        for part in getattr(shape, "geoms", [shape])
        if part.geom_type == "Polygon" and not part.is_empty
    ]


def _degrees(arc: list[list[int]], transform: dict[str, list[float]]) -> Ring:
    (east, north), (left, bottom) = transform["scale"], transform["translate"]
    xs = accumulate(point[0] for point in arc)
    ys = accumulate(point[1] for point in arc)
    return [(x * east + left, y * north + bottom) for x, y in zip(xs, ys, strict=True)]


def _polygons(country: dict[str, Any], arcs: list[Ring]) -> Iterator[list[Ring]]:
    found = country.get("arcs") or []
    for polygon in [found] if country["type"] == "Polygon" else found:
        yield [_ring(indices, arcs) for indices in polygon]


def _ring(indices: list[int], arcs: list[Ring]) -> Ring:
    """Join arcs end to end; a negative index is an arc backwards, as TopoJSON has it."""
    ring: Ring = []
    for index in indices:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        ring += arc[1:] if ring else arc
    # Russia goes on east of the date line.
    return [(x + 360 if x < -100 else x, y) for x, y in ring]


def _in_region(ring: Ring, region: tuple[float, float, float, float]) -> bool:
    west, south, east, north = region
    xs, ys = zip(*ring, strict=True)
    across: bool = max(xs) > west and min(xs) < east
    return across and bool(max(ys) > south and min(ys) < north)


def _in_km(rings: list[Ring], surveyor: Surveyor) -> tuple[Ring, list[Ring]]:
    shell, *holes = ([surveyor.km(*spot) for spot in ring] for ring in rings)
    return shell, holes
