"""The borders of areas: how long each is, and which are wrong."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TypeVar

import shapely

from atlas.build.natural_earth import parts

Pair = frozenset[str]
Corner = tuple[float, float]
Key = TypeVar("Key")
CORNER = 9.0
"""In pixels: a wrong border no longer than this is shrunk to a corner, where four areas meet."""


def wrong_borders(
    areas: Mapping[str, shapely.Geometry],
    wanted: Collection[Pair],
    realm: Callable[[str], str],
    least: float,
) -> set[Pair]:
    """Return the borders that are missing or too short, and those that should not be."""
    lengths = border_lengths(areas)
    playable = {name for name in areas if realm(name)}
    extra = {
        pair
        for pair, length in lengths.items()
        if pair <= playable and pair not in wanted and length > CORNER
    }
    return extra | {pair for pair in wanted if lengths.get(pair, 0.0) < least}


def border_lengths(areas: Mapping[str, shapely.Geometry]) -> dict[Pair, float]:
    """Return how long the border between each two areas is, in pixels."""
    lengths: dict[Pair, float] = defaultdict(float)
    for one, other, length in shared_edges(areas.items()):
        lengths[frozenset((one, other))] += length
    return lengths


def shared_edges(
    shapes: Iterable[tuple[Key, shapely.Geometry]],
) -> Iterator[tuple[Key, Key, float]]:
    """Yield each edge that two of the shapes share, by their keys, with its length."""
    owners: dict[tuple[Corner, Corner], list[Key]] = defaultdict(list)
    for key, shape in shapes:
        for edge in edges_of(shape):
            owners[edge].append(key)
    for edge, keys in owners.items():
        if len(keys) == 2:
            yield keys[0], keys[1], math.dist(*edge)


def edges_of(shape: shapely.Geometry) -> Iterator[tuple[Corner, Corner]]:
    """Yield the edges of a shape, each from its smaller corner to the other."""
    for part in parts(shape):
        for ring in (part.exterior, *part.interiors):
            corners = [(round(x, 3), round(y, 3)) for x, y in ring.coords]
            yield from ((min(pair), max(pair)) for pair in pairwise(corners) if len({*pair}) > 1)
