"""The outlines of units, stars and other fixed signs, around 0, 0."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from atlas.sheet import Point

Outline = tuple[Point, ...]
TILT = -13
"""How many degrees a dislodged unit leans to one side."""


def _block(half_width: float, half_height: float, corner: float) -> Outline:
    points = []
    for turn, (x, y) in enumerate(((1, -1), (1, 1), (-1, 1), (-1, -1))):
        for step in range(5):
            angle = math.pi / 2 * (turn - 1 + step / 4)
            points.append(
                (
                    round(x * (half_width - corner) + corner * math.cos(angle), 2),
                    round(y * (half_height - corner) + corner * math.sin(angle), 2),
                )
            )
    return tuple(points)


ARMY: tuple[Outline, ...] = (_block(15.5, 11.5, 3.5),)
FLEET: tuple[Outline, ...] = (
    ((-3.5, -5.5), (-3.5, -18.5), (11.5, -5.5)),
    ((-21.0, -5.5), (21.0, -5.5), (17.5, 4.0), (12.5, 11.5), (-12.5, 11.5), (-17.5, 4.0)),
)
OUTLINES: dict[str, tuple[Outline, ...]] = {"A": ARMY, "F": FLEET}
LETTERS_AT: dict[str, float] = {"A": 5.6, "F": 8.2}
"""How far the base line of the letters is below the middle."""


@cache
def star(radius: float) -> Outline:
    """Return a five-pointed star, one point up."""
    return _points(10, lambda k: radius if k % 2 == 0 else radius * 0.45, math.pi / 2)


@cache
def burst(width: float, height: float) -> Outline:
    """Return the jagged outline around a unit that was driven out."""
    points = _points(22, lambda k: 1.0 if k % 2 else 0.76, 0.0)
    return tuple((x * width, y * height) for x, y in points)


def _points(count: int, radius: Callable[[int], float], start: float) -> Outline:
    angles = [start + 2 * math.pi * k / count for k in range(count)]
    radii = [radius(k) for k in range(count)]
    return tuple(
        (round(r * math.cos(a), 2), round(-r * math.sin(a), 2))
        for r, a in zip(radii, angles, strict=True)
    )


HEAD: Outline = ((12.0, 0.0), (-7.5, 9.0), (-3.5, 0.0), (-7.5, -9.0))
"""An arrow's head that points to the right."""
