"""The way of a convoy: the fleets that carry the army, and a smooth line through them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from atlas.drawn_orders import DrawnOrder
from atlas.shapes import Track
from atlas.sheet import Point
from judge import Board, Location


def carriers(army: DrawnOrder, orders: Iterable[DrawnOrder], board: Board) -> list[Location]:
    """Return the fleets that carry an army, in the order of its way; none if it marches."""
    if army.unit != "A" or not army.to:
        return []
    ready = {
        order.at.province.index: order.at
        for order in orders
        if order.kind == "convoy"
        and order.helped
        and order.to
        and order.helped.province == army.at.province
        and order.to.province == army.to.province
    }
    return _chain(board, army.at, army.to, ready) if ready else []


def _chain(
    board: Board, start: Location, end: Location, ready: Mapping[int, Location]
) -> list[Location]:
    """Return the shortest chain of fleets from shore to shore; none if they do not reach it."""
    came: dict[int, int | None] = {}
    queue: deque[int] = deque()
    for index in board.neighbours[start.province.index]:
        if index in ready:
            came[index] = None
            queue.append(index)
    while queue:
        here = queue.popleft()
        if end.province.index in board.neighbours[here]:
            return list(_back(here, came, ready))[::-1]
        for index in board.neighbours[here]:
            if index in ready and index not in came:
                came[index] = here
                queue.append(index)
    return []


def _back(
    here: int, came: Mapping[int, int | None], ready: Mapping[int, Location]
) -> Iterator[Location]:
    step: int | None = here
    while step is not None:
        yield ready[step]
        step = came[step]


def track(points: list[Point], first: float, last: float) -> Track:
    """Return a smooth line through points, cut by `first` and `last` pixels at its ends."""
    before = [points[0], *points, points[-1]]
    line: list[Point] = []
    for a, b, c, d in zip(before, before[1:], before[2:], before[3:], strict=False):
        for step in range(10):
            t = step / 10
            line.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    line.append(points[-1])
    whole = Track(tuple(line))
    length = sum(math.dist(one, other) for one, other in pairwise(line))
    shorter = whole.until(max(0.5, 1 - last / length))
    return Track(tuple(reversed(Track(shorter.points[::-1]).until(1 - first / length).points)))


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    """Return a cubic spline from b to c that heads at b from a to c, and at c from b to d."""
    m0, m1 = 0.35 * (c - a), 0.35 * (d - b)
    t2, t3 = t * t, t * t * t
    return (
        (2 * t3 - 3 * t2 + 1) * b + (t3 - 2 * t2 + t) * m0 + (3 * t2 - 2 * t3) * c + (t3 - t2) * m1
    )
