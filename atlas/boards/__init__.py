"""The committed drawings, and which board uses which of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from atlas.sheet import Area, AreaKind, Crossing, Line, LineKind, Ring, Sheet, Slot
from judge import Board, load_variant

_FOLDER = Path(__file__).parent
_OTHER: dict[str, AreaKind] = {"neutral": "neutral", "lake": "lake"}
_KINDS: dict[str, AreaKind] = {"sea": "sea", "impassable": "neutral"}
Facts = Mapping[str, Any]


def drawn_boards() -> tuple[str, ...]:
    """Return the variants whose own boards are drawn; other variants may have the same
    provinces."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def drawn_sheet(board: Board) -> Sheet | None:
    """Return the drawing on which a board's provinces and coasts all have their places, if any.

    A link joins two provinces that do not touch on the drawing, if they are neighbours on this
    board.
    """
    wanted = _provinces(board)
    for name in drawn_boards():
        if _provinces_of(name) == wanted:
            pairs = {
                frozenset((one.id, board.provinces[other].id))
                for one in board.provinces
                for other in board.neighbours[one.index]
            }
            links = [link for link in _drawing(name).crossings if frozenset(link.between) in pairs]
            return _sheet(name, tuple(links))
    return None


def _provinces(board: Board) -> frozenset[tuple[str, str, frozenset[str]]]:
    """Return everything that a drawing must have a place for."""
    return frozenset(
        (p.id, p.kind, frozenset(p.coasts)) for p in board.provinces if p.kind != "impassable"
    )


@cache
def _provinces_of(name: str) -> frozenset[tuple[str, str, frozenset[str]]]:
    return _provinces(load_variant(name).board)


@cache
def _drawing(name: str) -> Sheet:
    """Return a drawing with all its crossings."""
    facts = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    kinds = {p.id: _KINDS.get(p.kind, "land") for p in load_variant(name).board.provinces}
    crossings = tuple(
        Crossing((one, other), ((x0, y0), (x1, y1)))
        for pair, ((x0, y0), (x1, y1)) in facts.get("crossings", {}).items()
        for one, other in [pair.split("-")]
    )
    return read_sheet(facts, kinds | _OTHER, crossings)


@cache
def _sheet(name: str, crossings: tuple[Crossing, ...]) -> Sheet:
    return replace(_drawing(name), crossings=crossings)


def read_sheet(
    facts: Facts, kinds: Mapping[str, AreaKind], crossings: tuple[Crossing, ...]
) -> Sheet:
    """Read a drawing; `kinds` gives the kind of each of its areas."""
    arcs = [_arc(steps) for steps in facts["arcs"]]
    owners: list[list[AreaKind]] = [[] for _ in arcs]
    areas = {}
    for name, rings in facts["areas"].items():
        areas[name] = Area(kinds[name], tuple(_ring(ring, arcs) for ring in rings))
        for step in (step for ring in rings for step in ring):
            owners[step if step >= 0 else ~step].append(kinds[name])
    lines = [
        Line(kind, arc)
        for arc, sides in zip(arcs, owners, strict=True)
        if (kind := _line_kind(sides)) is not None
    ]
    return Sheet(
        width=facts["width"],
        height=facts["height"],
        slots={name: _slot(place) for name, place in facts["places"].items()},
        areas=areas,
        lines=tuple(lines),
        homelands=facts["homelands"],
        crossings=crossings,
        passages={
            name: tuple((x, y) for x, y in line) for name, line in facts.get("passages", {}).items()
        },
    )


def _line_kind(sides: list[AreaKind]) -> LineKind | None:
    """Return what kind of line separates two areas; None at the edge of the sheet."""
    if len(sides) < 2:
        return None
    wet = [side in ("sea", "lake") for side in sides]
    if all(wet):
        return "sea"
    return "coast" if any(wet) else "border"


def _arc(steps: str) -> Ring:
    numbers = [int(number) for number in steps.split()]
    return tuple(
        (x / 10, y / 10)
        for x, y in zip(accumulate(numbers[::2]), accumulate(numbers[1::2]), strict=True)
    )


def _ring(steps: list[int], arcs: list[Ring]) -> Ring:
    points: list[tuple[float, float]] = []
    for step in steps:
        arc = arcs[step] if step >= 0 else arcs[~step][::-1]
        points += arc[:-1]
    return tuple(points)


def _slot(facts: dict[str, Any]) -> Slot:
    centre = facts.get("centre")
    return Slot(
        name=tuple(facts["name"]),
        unit=tuple(facts["unit"]),
        centre=tuple(centre) if centre else None,
        coasts={coast: tuple(spot) for coast, spot in facts.get("coasts", {}).items()},
    )
