"""Places the boxes of a diagram so that distances on paper are like those on the board.

Stress majorisation (Gansner, Koren and North 2004) puts each pair as far apart as there are steps
between them. Then boxes push each other out of the way, and so do lines that run behind a box.
Plain Python, the same result each time; a board of 75 provinces takes a tenth of a second, once
per process.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from atlas.sheet import Point

Spots = list[list[float]]
_ROUNDS = 60
_PUSHES = 260
_NEAR = 100.0
"""Boxes and lines with more pixels than this between them will not meet in the next pushes."""


def spread(neighbours: Sequence[Sequence[int]], known: Mapping[int, Point]) -> Spots:
    """Return a spot for each node; a step on the board is about 1 long.

    `known` says where some nodes lie on another drawing, in any unit. If most are known, they stay
    there, and the rest go between their neighbours. Otherwise the whole is turned to match the
    known ones.
    """
    steps = [_steps_from(start, neighbours) for start in range(len(neighbours))]
    if 2 * len(known) > len(steps):
        return _from_known(neighbours, known)
    spots = _by_pivots(steps)
    _scale(spots, steps)
    for _ in range(_ROUNDS):
        _relax(spots, steps)
    return _turn_to_match(spots, known)


def _turn_to_match(spots: Spots, known: Mapping[int, Point]) -> Spots:
    """Return the spots turned, and mirrored if need be, so that known nodes lie as on the other
    drawing."""
    if len(known) < 3:
        return spots
    here = [complex(*spots[node]) for node in known]
    there = [complex(*spot) for spot in known.values()]
    middle, goal = sum(here) / len(here), sum(there) / len(there)
    straight = sum((h - middle).conjugate() * (t - goal) for h, t in zip(here, there, strict=True))
    mirrored = sum((h - middle) * (t - goal) for h, t in zip(here, there, strict=True))
    flip = abs(mirrored) > abs(straight)
    turn = (mirrored if flip else straight) or 1.0
    turn /= abs(turn)
    found = []
    for x, y in spots:
        away = complex(x, y) - middle
        moved = (away.conjugate() if flip else away) * turn
        found.append([moved.real, moved.imag])
    return found


def _steps_from(start: int, neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Return how many steps away each node is; a node that cannot be reached counts as the
    farthest."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for other in neighbours[here]:
            if other not in steps:
                steps[other] = steps[here] + 1
                queue.append(other)
    far = max(steps.values()) + 2
    return [steps.get(node, far) for node in range(len(neighbours))]


def _from_known(neighbours: Sequence[Sequence[int]], known: Mapping[int, Point]) -> Spots:
    middle = [sum(spot[axis] for spot in known.values()) / len(known) for axis in (0, 1)]
    spots = [list(known.get(node, middle)) for node in range(len(neighbours))]
    for _ in range(30):
        for node, others in enumerate(neighbours):
            if node not in known and others:
                for axis in (0, 1):
                    spots[node][axis] = sum(spots[o][axis] for o in others) / len(others)
    # Two that begin at the same spot would never part.
    return [[x + 0.1 * math.sin(n), y + 0.1 * math.cos(n)] for n, (x, y) in enumerate(spots)]


def _by_pivots(steps: Sequence[Sequence[int]]) -> Spots:
    """Return the spots to begin with: along the longest way through the board, and across it."""
    count = len(steps)
    west = max(range(count), key=lambda node: sum(steps[node]))
    east = max(range(count), key=lambda node: steps[west][node])

    def off_axis(node: int) -> tuple[int, int]:
        return -abs(steps[west][node] - steps[east][node]), steps[west][node] + steps[east][node]

    north = max(range(count), key=off_axis)
    south = max(range(count), key=lambda node: (steps[north][node], off_axis(node)))
    return [
        [
            (steps[west][n] - steps[east][n]) / 2 + 0.13 * math.sin(2.4 * n),
            (steps[north][n] - steps[south][n]) / 2 + 0.13 * math.cos(2.4 * n),
        ]
        for n in range(count)
    ]


def _scale(spots: Spots, steps: Sequence[Sequence[int]]) -> None:
    """Move the spots, all together, as far apart as the steps are."""
    have = want = 0.0
    for one, row in enumerate(steps):
        for other in range(one):
            have += math.dist(spots[one], spots[other])
            want += row[other]
    factor = want / have if have else 1.0
    for spot in spots:
        spot[0] *= factor
        spot[1] *= factor


def _relax(spots: Spots, steps: Sequence[Sequence[int]]) -> None:
    """Move each node to where its distances to all others are best, if the others stay."""
    for node, row in enumerate(steps):
        x, y = spots[node]
        sum_x = sum_y = weights = 0.0
        for (other_x, other_y), wanted in zip(spots, row, strict=True):
            if wanted:  # only the node itself is 0 steps away
                dx, dy = x - other_x, y - other_y
                share = wanted / (math.hypot(dx, dy) or 1e-6)
                weight = 1 / (wanted * wanted)
                sum_x += weight * (other_x + dx * share)
                sum_y += weight * (other_y + dy * share)
                weights += weight
        if weights:
            spots[node] = [sum_x / weights, sum_y / weights]


def clear(
    spots: Spots, links: Sequence[tuple[int, int]], box: tuple[float, float], room: float
) -> None:
    """Push boxes off each other, and off the lines of others, until none has to move.

    `box` is the width and height of each, `room` the least gap between two.
    """
    near = _Near(spots, links, box)
    for _ in range(_PUSHES):
        near.refresh()
        moved = _part(spots, near.pairs, box[0] + room, box[1] + room)
        moved += _off_lines(spots, near.lines, box)
        if not moved:
            return
    for _ in range(_PUSHES):
        near.refresh()
        if not _part(spots, near.pairs, box[0] + room / 2, box[1] + room / 2):
            return


class _Near:
    """The pairs that may soon meet: most boxes never come near most others, or most lines.

    We look again before anything else can have come that near.
    """

    def __init__(
        self, spots: Spots, links: Sequence[tuple[int, int]], box: tuple[float, float]
    ) -> None:
        self._spots, self._links, self._box = spots, links, box
        self._seen: Spots = []

    def refresh(self) -> None:
        """Look again if anything has gone so far that others may be near it now."""
        if not self._seen or any(map(_has_gone, self._spots, self._seen)):
            self._seen = [list(spot) for spot in self._spots]
            self.pairs = list(self._pairs())
            self.lines = list(self._lines())

    def _pairs(self) -> Iterator[tuple[int, int]]:
        width, height = (side + _NEAR for side in self._box)
        for one, (x, y) in enumerate(self._spots):
            for other, (other_x, other_y) in enumerate(self._spots[:one]):
                if abs(x - other_x) < width and abs(y - other_y) < height:
                    yield one, other

    def _lines(self) -> Iterator[tuple[int, int, list[int]]]:
        room = math.hypot(*self._box) / 2 + _NEAR
        for start, end in self._links:
            (x0, y0), (x1, y1) = self._spots[start], self._spots[end]
            left, right = min(x0, x1) - room, max(x0, x1) + room
            top, bottom = min(y0, y1) - room, max(y0, y1) + room
            inside = [
                node
                for node, (x, y) in enumerate(self._spots)
                if left < x < right and top < y < bottom and node not in (start, end)
            ]
            if inside:
                yield start, end, inside


def _has_gone(spot: Sequence[float], seen: Sequence[float]) -> bool:
    """Say whether it has gone a quarter of the way to what was not near: that may have come as far,
    and both may go on in the same round."""
    return max(abs(spot[0] - seen[0]), abs(spot[1] - seen[1])) > _NEAR / 4


def _part(spots: Spots, pairs: Iterable[tuple[int, int]], width: float, height: float) -> int:
    """Push overlapping boxes apart along the shorter way, each by half; return how many
    overlapped."""
    moved = 0
    for one, other in pairs:
        spot, second = spots[one], spots[other]
        across, down = spot[0] - second[0], spot[1] - second[1]
        over_x, over_y = width - abs(across), height - abs(down)
        if over_x > 0.5 and over_y > 0.5:
            axis, over, way = (0, over_x, across) if over_x < over_y else (1, over_y, down)
            push = math.copysign(over / 2, way)
            spot[axis] += push
            second[axis] -= push
            moved += 1
    return moved


def _off_lines(
    spots: Spots, lines: Iterable[tuple[int, int, list[int]]], box: tuple[float, float]
) -> int:
    """Push boxes off lines that run behind them, and the ends of these lines the other way."""
    moved = 0
    for start, end, nodes in lines:
        (x0, y0), (x1, y1) = spots[start], spots[end]
        length = math.hypot(x1 - x0, y1 - y0)
        if length < 1:
            continue
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        need = (abs(uy) * box[0] + abs(ux) * box[1]) / 2 + 3
        for node in nodes:
            x, y = spots[node]
            off = (y - y0) * ux - (x - x0) * uy
            if abs(off) < need and 0 < (x - x0) * ux + (y - y0) * uy < length:
                push = math.copysign((need - abs(off)) * 0.3, off or 1.0)
                spots[node] = [x - uy * push, y + ux * push]
                for tip in (start, end):
                    spots[tip][0] += uy * push * 0.4
                    spots[tip][1] -= ux * push * 0.4
                moved += abs(off) < need - 3
    return moved
