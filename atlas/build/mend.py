"""Makes a drawing's borders those of the game: ground near a wrong border changes hands.

Seeds draw most borders right and some not: two provinces touch that should not, two are kept apart.
The ground there is cut into small cells, which change hands by simulated annealing until the
borders are right, and lie as much as they can where the seeds had them. Always the same result.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from random import Random

import numpy as np
import shapely
from shapely import STRtree

from atlas.build.natural_earth import parts

Pair = frozenset[str]
Corner = tuple[float, float]
_CELL = 8.0
"""Pixels from the middle of a cell to that of the next."""
_AROUND = 28.0
"""Pixels round a wrong border in which the ground is cut."""
_CORNER = 9.0
"""Pixels of a wrong border that are drawn together into a corner where four meet."""
_ROUNDS = 5
_STEPS = 9000
_GRID = 0.05


def mended(
    areas: Mapping[str, shapely.Geometry],
    wanted: Collection[Pair],
    realm: Callable[[str], str],
    frame: shapely.Polygon,
    least: float,
) -> dict[str, shapely.Geometry]:
    """Return the areas, which cover the frame, with the borders that are wanted, as far as can be.

    `least` is how many pixels a border has to be long, so that it is seen. `realm` says what may be
    exchanged: "sea", a zone of land, or "" for what nobody may take.
    """
    shapes = dict(areas)
    for turn in range(_ROUNDS):
        wrong = wrong_borders(shapes, wanted, realm, least)
        if not wrong:
            break
        places = [
            _where(shapes, pair, pair in wanted).buffer(_AROUND)
            for pair in sorted(wrong, key=sorted)
        ]
        net = _Net(shapes, shapely.union_all(places), wanted, realm, frame, turn, least)
        for pair in sorted(wrong, key=sorted):
            net.reach_out(pair)
        net.anneal()
        shapes = net.shapes()
    return shapes


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
        if pair <= playable and pair not in wanted and length > _CORNER
    }
    return extra | {pair for pair in wanted if lengths.get(pair, 0.0) < least}


def border_lengths(areas: Mapping[str, shapely.Geometry]) -> dict[Pair, float]:
    """Return how long each two areas share a border, in pixels."""
    owners: dict[tuple[Corner, Corner], list[str]] = defaultdict(list)
    for name, shape in areas.items():
        for edge in _edges(shape):
            owners[edge].append(name)
    lengths: dict[Pair, float] = defaultdict(float)
    for edge, names in owners.items():
        if len(names) == 2:
            lengths[frozenset(names)] += math.dist(*edge)
    return lengths


def _edges(shape: shapely.Geometry) -> Iterable[tuple[Corner, Corner]]:
    for part in parts(shape):
        for ring in (part.exterior, *part.interiors):
            corners = [(round(x, 3), round(y, 3)) for x, y in ring.coords]
            yield from ((min(pair), max(pair)) for pair in pairwise(corners) if len({*pair}) > 1)


def _where(areas: Mapping[str, shapely.Geometry], pair: Pair, missing: bool) -> shapely.Geometry:
    one, other = (areas[name] for name in sorted(pair))
    if missing:
        bodies = [max(parts(shape), key=lambda part: part.area) for shape in (one, other)]
        return shapely.shortest_line(*bodies)
    return one.intersection(other)


class _Net:
    """The cells, whose they are, and what a change of hands is worth."""

    def __init__(
        self,
        areas: Mapping[str, shapely.Geometry],
        where: shapely.Geometry,
        wanted: Collection[Pair],
        realm: Callable[[str], str],
        frame: shapely.Polygon,
        turn: int,
        least: float,
    ) -> None:
        self.least = least
        self.wanted = wanted
        self.realm = realm
        self.random = Random(turn)
        self.faces, self.owner = _cut(areas, where, frame, turn)
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
        self.near: list[dict[int, float]] = [{} for _ in self.faces]
        sides: dict[tuple[Corner, Corner], list[int]] = defaultdict(list)
        for index, face in enumerate(self.faces):
            for edge in _edges(face):
                sides[edge].append(index)
        for edge, both in sides.items():
            if len(both) == 2:
                one, other = both
                length = math.dist(*edge)
                self.near[one][other] = self.near[one].get(other, 0.0) + length
                self.near[other][one] = self.near[other].get(one, 0.0) + length
        self.contact: dict[Pair, float] = defaultdict(float)
        for one, others in enumerate(self.near):
            for other, length in others.items():
                if one < other and self.owner[one] != self.owner[other]:
                    self.contact[frozenset((self.owner[one], self.owner[other]))] += length
        self.members: dict[str, set[int]] = defaultdict(set)
        for index, name in enumerate(self.owner):
            self.members[name].add(index)

    def cost(self, pair: Pair, length: float) -> float:
        """Return what is wrong with a border of that length."""
        if pair in self.wanted:
            return 0.0 if length >= self.least else 30.0 + 3 * (self.least - length)
        if not all(self.realm(name) for name in pair) or length < 0.01:
            return 0.0
        return 12.0 + 2 * length if length > _CORNER else 8.0

    def reach_out(self, pair: Pair) -> None:
        """Give two that should touch and do not the cells on the way from one to the other."""
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
        """Give away what was cut off from its province by others' gain."""
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
        """Return by how much all is worse when a cell goes to another province."""
        worse = 0.0
        for pair, change in changes.items():
            length = self.contact.get(pair, 0.0)
            worse += self.cost(pair, length + change) - self.cost(pair, length) + 0.25 * change
        moved = (name != self.was[index]) - (self.owner[index] != self.was[index])
        return worse + 0.02 * self.area[index] * moved

    def _may_leave(self, index: int) -> bool:
        """Tell whether its province stays in one piece without a cell."""
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
        """Let cells change hands, first gladly, then only where it mends something."""
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
        """Return what belongs to each."""
        return {
            name: shapely.union_all([self.faces[i] for i in sorted(found)])
            for name, found in self.members.items()
        }


def _cut(
    areas: Mapping[str, shapely.Geometry],
    where: shapely.Geometry,
    frame: shapely.Polygon,
    turn: int,
) -> tuple[list[shapely.Polygon], list[str]]:
    """Return the areas cut into cells in some places, and whose each piece is."""
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
