"""Areas cut into cells, which change hands by simulated annealing until the borders are right."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import shapely
from shapely import STRtree

from atlas.build.borders import CORNER, Pair, shared_edges

_CELL = 8.0
"""Pixels from the middle of one cell to the middle of the next."""
_STEPS = 9000
_GRID = 0.05


@dataclass(frozen=True)
class Wishes:
    """Which borders a map should have, and which ground may change hands for them."""

    wanted: Collection[Pair]
    realm: Callable[[str], str]
    """The ground that an area is part of, and may be exchanged with: "sea", a zone of land, or ""
    for ground that nobody may take."""
    least: float
    """How long a border has to be to be seen, in pixels."""


class Net:
    """The cells, their owners, and how much better or worse a change of hands makes the map."""

    def __init__(
        self,
        areas: Mapping[str, shapely.Geometry],
        where: shapely.Geometry,
        wishes: Wishes,
        frame: shapely.Polygon,
        turn: int,
    ) -> None:
        self.least = wishes.least
        self.wanted = wishes.wanted
        self.realm = realm = wishes.realm
        self.random = Random(turn)
        self.faces, self.owner = _cut_into_cells(areas, where, frame, turn)
        self.was = list(self.owner)
        self.area = [float(face.area) for face in self.faces]
        sea = {name: realm(name) == "sea" for name in areas}
        self.kind = [
            "" if not realm(name) else "sea" if sea[name] else "land" for name in self.owner
        ]
        size = 3 * _CELL * _CELL
        inside = shapely.contains(where.buffer(1.0), [face.centroid for face in self.faces])
        self.loose = [
            bool(self.kind[i]) and bool(inside[i]) and self.area[i] < size
            for i in range(len(self.faces))
        ]
        self.near = _neighbours(self.faces)
        self.contact = self._contacts()
        self.members: dict[str, set[int]] = defaultdict(set)
        for index, name in enumerate(self.owner):
            self.members[name].add(index)

    def _contacts(self) -> dict[Pair, float]:
        """How long the border is between each two areas that touch."""
        contact: dict[Pair, float] = defaultdict(float)
        for one, others in enumerate(self.near):
            for other, length in others.items():
                if one < other and self.owner[one] != self.owner[other]:
                    contact[frozenset((self.owner[one], self.owner[other]))] += length
        return contact

    def cost(self, pair: Pair, length: float) -> float:
        """Return what is wrong with a border of that length."""
        if pair in self.wanted:
            return 0.0 if length >= self.least else 30.0 + 3 * (self.least - length)
        if not all(self.realm(name) for name in pair) or length < 0.01:
            return 0.0
        return 12.0 + 2 * length if length > CORNER else 8.0

    def reach_out(self, pair: Pair) -> None:
        """Join two that should touch but do not: give them the cells between them."""
        if pair not in self.wanted or self.contact.get(pair, 0.0) > 0:
            return
        one, other = sorted(pair)
        way = self._way(one, other)
        kinds = {name: self.kind[next(iter(self.members[name]))] for name in pair}
        for place, index in enumerate(way):
            first, second = (one, other) if place < len(way) / 2 else (other, one)
            taker = first if kinds[first] == self.kind[index] else second
            if kinds[taker] == self.kind[index]:
                loser = self.owner[index]
                self._give(index, taker)
                self._tidy(loser, taker)

    def _way(self, one: str, other: str) -> list[int]:
        before: dict[int, int] = dict.fromkeys(self.members[one], -1)
        kinds = {self.kind[next(iter(self.members[name]))] for name in (one, other)}
        ends, queue = self.members[other], sorted(self.members[one])
        for index in queue:
            for neighbour in sorted(self.near[index]):
                if neighbour in before:
                    continue
                if neighbour in ends:
                    way = []
                    while before[index] >= 0:
                        way.append(index)
                        index = before[index]
                    return way[::-1]
                if self.loose[neighbour] and self.kind[neighbour] in kinds:
                    before[neighbour] = index
                    queue.append(neighbour)
        return []

    def _tidy(self, name: str, heir: str) -> None:
        """Give away the cells of a province that others' gains have cut off from the rest of it."""
        left = set(self.members[name])
        pieces = []
        while left:
            piece = self._piece(next(iter(left)), left)
            left -= piece
            pieces.append(piece)
        pieces.sort(key=lambda piece: sum(self.area[i] for i in piece))
        for piece in pieces[:-1]:
            cut_off = any(
                self.was[j] == name and self.owner[j] != name for i in piece for j in self.near[i]
            )
            if cut_off and all(self.loose[i] for i in piece):
                for index in piece:
                    self._give(index, heir)

    def _piece(self, start: int, within: set[int]) -> set[int]:
        found, queue = {start}, [start]
        for index in queue:
            for neighbour in self.near[index]:
                if neighbour in within and neighbour not in found:
                    found.add(neighbour)
                    queue.append(neighbour)
        return found

    def _give(self, index: int, name: str) -> None:
        for pair, change in self._changes(index, name).items():
            self.contact[pair] += change
        self.members[self.owner[index]].remove(index)
        self.owner[index] = name
        self.members[name].add(index)

    def _changes(self, index: int, name: str) -> dict[Pair, float]:
        changes: dict[Pair, float] = defaultdict(float)
        old = self.owner[index]
        for other, length in self.near[index].items():
            its = self.owner[other]
            if its != old:
                changes[frozenset((its, old))] -= length
            if its != name:
                changes[frozenset((its, name))] += length
        return changes

    def _gain(self, index: int, name: str, changes: Mapping[Pair, float]) -> float:
        """Return how much worse the whole map gets when a cell goes to another province."""
        worse = 0.0
        for pair, change in changes.items():
            length = self.contact.get(pair, 0.0)
            worse += self.cost(pair, length + change) - self.cost(pair, length) + 0.25 * change
        moved = (name != self.was[index]) - (self.owner[index] != self.was[index])
        return worse + 0.02 * self.area[index] * moved

    def _may_leave(self, index: int) -> bool:
        """Tell whether the cell's province stays in one piece without it."""
        name = self.owner[index]
        own = [other for other in self.near[index] if self.owner[other] == name]
        if not own:
            return len(self.members[name]) > 1
        if len(own) == 1:
            return True
        wanted, found, queue = set(own[1:]), {index, own[0]}, [own[0]]
        for here in queue:
            for other in self.near[here]:
                if other not in found and self.owner[other] == name:
                    found.add(other)
                    queue.append(other)
                    wanted.discard(other)
                    if not wanted:
                        return True
        return False

    def anneal(self) -> None:
        """Let cells change hands: at first freely, later only if that mends something."""
        loose = [index for index, free in enumerate(self.loose) if free]
        if not loose:
            return
        steps = max(_STEPS, 20 * len(loose))
        for step in range(steps):
            heat = 9.0 * (1 - step / steps) ** 2 + 0.01
            index = self.random.choice(loose)
            heirs = sorted(
                {
                    self.owner[other]
                    for other in self.near[index]
                    if self.kind[other] == self.kind[index]
                }
                - {self.owner[index]}
            )
            if not heirs:
                continue
            name = self.random.choice(heirs)
            worse = self._gain(index, name, self._changes(index, name))
            is_taken = worse < 0 or self.random.random() < math.exp(-worse / heat)
            if is_taken and self._may_leave(index):
                self._give(index, name)

    def shapes(self) -> dict[str, shapely.Geometry]:
        """Return each owner's shape."""
        return {
            name: shapely.union_all([self.faces[i] for i in sorted(found)])
            for name, found in self.members.items()
        }


def _neighbours(faces: Sequence[shapely.Polygon]) -> list[dict[int, float]]:
    """Return the cells beside each cell, with the length of the border between them."""
    near: list[dict[int, float]] = [{} for _ in faces]
    for one, other, length in shared_edges(enumerate(faces)):
        near[one][other] = near[one].get(other, 0.0) + length
        near[other][one] = near[other].get(one, 0.0) + length
    return near


def _cut_into_cells(
    areas: Mapping[str, shapely.Geometry],
    where: shapely.Geometry,
    frame: shapely.Polygon,
    turn: int,
) -> tuple[list[shapely.Polygon], list[str]]:
    """Return the areas, cut into cells in some places, and the owner of each piece."""
    left, top, right, bottom = where.bounds
    columns, rows = np.meshgrid(np.arange(left, right, _CELL), np.arange(top, bottom, _CELL))
    shift = np.random.default_rng(turn).uniform(-0.38, 0.38, (2, columns.size)) * _CELL
    spots = shapely.points(columns.ravel() + shift[0], rows.ravel() + shift[1])
    spots = spots[shapely.contains(where.buffer(_CELL), spots)]
    cells = shapely.voronoi_polygons(shapely.MultiPoint(list(spots)), only_edges=True)
    lines = [shape.boundary for shape in areas.values()]
    edges = shapely.union_all([*lines, frame.boundary, cells.intersection(where)])
    net = shapely.node(shapely.set_precision(edges, _GRID))
    faces = list(shapely.polygonize([net]).geoms)
    names = list(areas)
    tree = STRtree([areas[name] for name in names])
    owners = []
    for face in faces:
        spot = face.representative_point()
        found = tree.query(spot, predicate="within")
        owners.append(names[min(found)] if len(found) else names[int(tree.nearest(spot))])
    return faces, owners
