"""The sheet of a diagram: square boxes for land, dark edges for coasts, round ones for seas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from atlas.boards import drawn_sheet
from atlas.diagram.layout import Spots, clear, spread
from atlas.sheet import LETTERED_FOR, Area, Line, LineKind, Point, Ring, Sheet, Slot
from judge import Board, Province, load_variant

_BOX = (84.0, 60.0)
_ROOM = 26.0
_GROUND = 15_500.0
"""Square pixels of paper for each province."""
_LEAST_WIDTH = 640
_MARGIN = 62.0
_HEAD = 84.0
"""Height of the heading, where no box may stand."""
_COASTS = {
    "n": (0.0, -40.0),
    "s": (0.0, 40.0),
    "e": (50.0, 10.0),
    "w": (-50.0, 10.0),
}
"""Where a fleet on a separate coast stands, from the middle of its box."""

_STAR = (-36.0, -23.0)
"""Where the star of a centre is: in the corner, where even the longest names leave room."""
_RIGHT = 5.0
"""How far from the middle the name beside a star stands."""
_KINDS: tuple[Literal["A", "F"], ...] = ("A", "F")
Link = tuple[int, int, LineKind]


@lru_cache(maxsize=32)
def laid_out(board: Board) -> Sheet:
    """Return a diagram of any board, the same object each time."""
    shown = [p for p in board.provinces if p.kind != "impassable"]
    if not shown:
        return Sheet(_LEAST_WIDTH, round(_HEAD), {}, {}, (), is_diagram=True)
    number = {province.index: at for at, province in enumerate(shown)}
    links = list(_links(board, number))
    neighbours: list[list[int]] = [[] for _ in shown]
    for one, other, _ in links:
        neighbours[one].append(other)
        neighbours[other].append(one)
    width, height = _size(len(shown))
    spots = spread(neighbours, _standard_spots(shown))
    _fit(spots, width, height)
    clear(spots, [(one, other) for one, other, _ in links], _BOX, _ROOM)
    width, height = _shift(spots)
    boxes = [_box(p, spots[at]) for at, p in enumerate(shown)]
    return Sheet(
        width=width,
        height=height,
        slots={p.id: _slot(p, spots[at]) for at, p in enumerate(shown)},
        areas={
            p.id: Area("sea" if p.kind == "sea" else "land", (box,))
            for p, box in zip(shown, boxes, strict=True)
        },
        lines=(
            *(Line(kind, (_spot(spots[a]), _spot(spots[b]))) for a, b, kind in links),
            *map(_rim, shown, boxes),
        ),
        is_diagram=True,
    )


def _links(board: Board, number: dict[int, int]) -> Iterator[Link]:
    """Yield each border once, whichever coasts it joins, and who may pass it."""
    passable: dict[tuple[int, int], set[str]] = {}
    for start in board.locations:
        for kind in _KINDS:
            for end in board.steps(kind, start):
                pair = sorted((start.province.index, end.province.index))
                passable.setdefault((pair[0], pair[1]), set()).add(kind)
    for (one, other), kinds in passable.items():
        link: LineKind = "by both" if len(kinds) == 2 else "by land" if "A" in kinds else "by sea"
        if one in number and other in number and one != other:
            yield number[one], number[other], link


def _standard_spots(shown: Sequence[Province]) -> dict[int, Point]:
    """Return where those provinces lie on the standard drawing that have a namesake there."""
    standard = load_variant("standard").board
    drawing = drawn_sheet(standard)
    assert drawing is not None
    named = {province.name: drawing.slots[province.id].unit for province in standard.provinces}
    return {at: named[p.name] for at, p in enumerate(shown) if p.name in named}


def _size(count: int) -> tuple[int, int]:
    side = max(_LEAST_WIDTH, math.sqrt(count * _GROUND))
    return round(side * 1.06), round(side * 0.94)


def _fit(spots: Spots, width: int, height: int) -> None:
    """Stretch the spots to fill the sheet."""
    for axis, (first, last) in enumerate(((_MARGIN, width), (_HEAD + _MARGIN, height))):
        low, high = min(s[axis] for s in spots), max(s[axis] for s in spots)
        factor = (last - _MARGIN - first) / ((high - low) or 1.0)
        for spot in spots:
            spot[axis] = first + (spot[axis] - low) * factor


def _shift(spots: Spots) -> tuple[int, int]:
    """Bring all boxes back onto the sheet after they have pushed each other off; return the sheet's
    width and height."""
    left, top = (min(spot[axis] for spot in spots) for axis in (0, 1))
    right, bottom = (max(spot[axis] for spot in spots) for axis in (0, 1))
    width = max(_LEAST_WIDTH, math.ceil(right - left + 2 * _MARGIN))
    head = _HEAD * max(1.0, width / LETTERED_FOR) - 20
    for spot in spots:
        spot[0] = round(spot[0] - left + _MARGIN, 1)
        spot[1] = round(spot[1] - top + _MARGIN + head, 1)
    return width, math.ceil(bottom - top + 2 * _MARGIN + head - 10)


def _spot(spot: list[float]) -> Point:
    return spot[0], spot[1]


def _slot(province: Province, spot: list[float]) -> Slot:
    x, y = spot
    return Slot(
        name=(x + (_RIGHT if province.center else 0.0), y - 16.5),
        unit=(x, y + 10.0),
        centre=(x + _STAR[0], y + _STAR[1]) if province.center else None,
        coasts={
            coast: (x + _COASTS[coast[0]][0], y + _COASTS[coast[0]][1])
            for coast in province.coasts
            if coast[0] in _COASTS
        },
    )


def _box(province: Province, spot: list[float]) -> Ring:
    """Return a box: with round ends for a sea."""
    (x, y), (half_width, half_height) = spot, (_BOX[0] / 2, _BOX[1] / 2)
    corner = half_height if province.kind == "sea" else 9.0
    points = []
    for turn, (sign_x, sign_y) in enumerate(((1, -1), (1, 1), (-1, 1), (-1, -1))):
        for step in range(7):
            angle = math.pi / 2 * (turn - 1 + step / 6)
            points.append(
                (
                    round(x + sign_x * (half_width - corner) + corner * math.cos(angle), 1),
                    round(y + sign_y * (half_height - corner) + corner * math.sin(angle), 1),
                )
            )
    return tuple(points)


def _rim(province: Province, box: Ring) -> Line:
    kind: LineKind = "border" if province.kind == "land" else "coast"
    return Line("sea" if province.kind == "sea" else kind, (*box, box[0]))
