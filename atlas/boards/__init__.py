"""The committed drawings, and which board is drawn on which."""

from __future__ import annotations

import json
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from atlas.sheet import Area, AreaKind, Line, LineKind, Ring, Sheet, Slot
from judge import Board, load_variant

_FOLDER = Path(__file__).parent
_OTHER: dict[str, AreaKind] = {"neutral": "neutral", "lake": "lake", "swi": "neutral"}


def drawn_sheet(board: Board) -> Sheet | None:
    """Return the drawing on which a board's provinces and coasts all have their places, if any."""
    standard = load_variant("standard").board
    if _provinces(board) == _provinces(standard):
        return _standard()
    return None


def _provinces(board: Board) -> frozenset[tuple[str, str, frozenset[str]]]:
    """Return what a drawing must have a place for."""
    return frozenset(
        (p.id, p.kind, frozenset(p.coasts)) for p in board.provinces if p.kind != "impassable"
    )


@cache
def _standard() -> Sheet:
    kinds: dict[str, AreaKind] = {
        p.id: "sea" if p.kind == "sea" else "land" for p in load_variant("standard").board.provinces
    }
    return read_sheet((_FOLDER / "standard.json").read_text(encoding="utf-8"), kinds | _OTHER)


def read_sheet(text: str, kinds: dict[str, AreaKind]) -> Sheet:
    """Read a drawing; `kinds` says what each of its areas is."""
    facts = json.loads(text)
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
    )


def _line_kind(sides: list[AreaKind]) -> LineKind | None:
    """Return what kind of line parts two areas; None at the edge of the sheet."""
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
