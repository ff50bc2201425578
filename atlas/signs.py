"""The signs that tell kinds of orders and results apart by shape, never by colour alone."""

from __future__ import annotations

import math

from atlas.shapes import Disc, Path, Polygon, Segment, Shape, Stroke, Text, turn_and_move
from atlas.sheet import Point
from atlas.tokens import BORDER, BURST, FAILURE, OUTLINE, SHORE, SUCCESS
from atlas.units import HEAD, burst, star

MOVE_WIDTH = 4.2
BROKEN = (9.0, 6.0)
DOTS = (0.0, 6.0)
RETREAT = (11.0, 4.0, 2.5, 4.0)
BROKEN_RING = (8.0, 6.0)
DOTTED_RING = (0.0, 7.0)
TRACE = (0.0, 5.5)
RING = 26.0
"""Radius of the ring round a convoying fleet."""
_CASING = 0.9
_BURST = burst(27.0, 23.0)


def line(path: Path, colour: str, dash: tuple[float, ...] = ()) -> list[Shape]:
    """A moving unit's line on its white casing: whole, broken, or dash and dot for a retreat."""
    return [
        Stroke(path, SHORE, MOVE_WIDTH + 4.2, opacity=_CASING),
        Stroke(path, colour, MOVE_WIDTH, dash),
    ]


def dotted_line(path: Path, colour: str) -> list[Shape]:
    """A support's line."""
    return [Stroke(path, SHORE, 6.5, opacity=_CASING), Stroke(path, colour, 3.4, DOTS)]


def head(path: Path, colour: str) -> Shape:
    """The filled head at the end of a line: the unit got there."""
    angle = path.heading(0.97)
    end = path.point(1)
    back = end[0] - 9 * math.cos(angle), end[1] - 9 * math.sin(angle)
    return Polygon(turn_and_move(HEAD, back, angle), colour, SHORE, 1.4)


def cross(at: Point, radius: float = 9.5) -> list[Shape]:
    """A cross in a ring: the move failed, or the unit is gone."""
    arm = radius * 0.42
    (x, y) = at
    return [
        Disc(at, radius, SHORE, FAILURE, 2.0),
        Segment((x - arm, y - arm), (x + arm, y + arm), FAILURE, 2.8),
        Segment((x - arm, y + arm), (x + arm, y - arm), FAILURE, 2.8),
    ]


def cut(path: Path) -> list[Shape]:
    """Two strokes across the middle of a line: the support was cut, or the convoy disrupted."""
    middle, angle = path.point(0.5), path.heading(0.5)
    return strokes_across(middle, angle)


def strokes_across(at: Point, angle: float) -> list[Shape]:
    """Two strokes across a line that runs at this angle."""
    shapes: list[Shape] = []
    for colour, width in ((SHORE, 6.0), (FAILURE, 2.8)):
        for offset in (-3.2, 3.2):
            start, end = turn_and_move([(offset + 2.5, -8.0), (offset - 2.5, 8.0)], at, angle)
            shapes.append(Segment(start, end, colour, width))
    return shapes


def void(at: Point) -> list[Shape]:
    """An empty ring with a stroke through it: the order fitted nothing that was ordered."""
    x, y = at
    return [
        Disc(at, 7.5, SHORE, FAILURE, 2.4),
        Segment((x - 5.0, y + 5.0), (x + 5.0, y - 5.0), FAILURE, 2.4),
    ]


def joint(at: Point, count: int, colour: str) -> list[Shape]:
    """The dot where supports meet a move, with their number if there are several."""
    if count == 1:
        return [Disc(at, 5.6, colour, SHORE, 1.8)]
    label = Text((at[0], at[1] + 4.9), f"+{count}", 14.5, SHORE)
    return [Disc(at, 10.5, colour, SHORE, 1.8), label]


def bar(path: Path, colour: str) -> list[Shape]:
    """A bar before a unit that is supported where it stands."""
    start, end = turn_and_move([(0.0, -9.0), (0.0, 9.0)], path.point(1), path.heading(0.97))
    return [Segment(start, end, SHORE, 8.0), Segment(start, end, colour, 4.4)]


def base(at: Point, colour: str) -> list[Shape]:
    """A line under a unit that was told to hold."""
    x, y = at[0], at[1] + 17.5
    return [
        Segment((x - 12, y), (x + 12, y), SHORE, 6.4),
        Segment((x - 11, y), (x + 11, y), colour, 3.4),
    ]


def ring(at: Point, colour: str, dash: tuple[float, ...] = ()) -> list[Shape]:
    """A ring round a fleet that convoys; broken when the convoy was disrupted."""
    return [Disc(at, RING, "", SHORE, 6.0), Disc(at, RING, "", colour, 3.2, dash)]


def broken_ring(at: Point) -> list[Shape]:
    """Two strokes across the ring of a convoy that was disrupted, at its upper left."""
    offset = RING * math.sqrt(0.5)
    return strokes_across((at[0] - offset, at[1] - offset), -math.pi / 4)


def exclamation(at: Point) -> list[Shape]:
    """A mark beside a unit whose order the rules do not allow."""
    return [Disc(at, 8.6, SHORE, FAILURE, 2.0), Text((at[0], at[1] + 5.2), "!", 16.0, FAILURE)]


def jagged_outline(at: Point) -> Shape:
    """The outline behind a unit that was driven out."""
    return Polygon(turn_and_move(_BURST, at, 0.0), BURST, FAILURE, 2.2)


def green_ring(at: Point) -> Shape:
    """The ring behind a unit that was built."""
    return Disc(at, 25.5, SHORE, SUCCESS, 3.2)


def plus(at: Point) -> list[Shape]:
    """The sign beside a unit that was built."""
    x, y = at
    return [
        Disc(at, 9.2, SUCCESS, SHORE, 1.8),
        Segment((x - 4.6, y), (x + 4.6, y), SHORE, 2.8),
        Segment((x, y - 4.6), (x, y + 4.6), SHORE, 2.8),
    ]


def star_at(at: Point, fill: str) -> list[Shape]:
    """A supply centre with an owner, in that owner's colour."""
    return [Polygon(turn_and_move(star(8.6), at, 0.0), fill, OUTLINE, 1.2)]


def free_centre(at: Point) -> list[Shape]:
    """A supply centre without an owner: a ring with a dot, unlike any owner's star."""
    return [Disc(at, 6.0, SHORE, OUTLINE, 1.5), Disc(at, 2.2, OUTLINE)]


def unseen_centre(at: Point) -> list[Shape]:
    """A supply centre out of sight, whoever may own it: an empty ring."""
    return [Disc(at, 5.0, "", BORDER, 1.8)]


def capture_ring(at: Point, colour: str) -> Shape:
    """The ring round a centre with a new owner."""
    return Disc(at, 14.5, SHORE, colour, 3.4)
