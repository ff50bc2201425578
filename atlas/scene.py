"""A scene: everything a picture shows, as layers of shapes on a sheet. Painters do nothing but
paint it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from atlas.boards import drawn_sheet
from atlas.diagram import laid_out
from atlas.fonts import width_of
from atlas.obstacles import Obstacles
from atlas.palette import colours_of
from atlas.shapes import Layer
from atlas.sheet import Point, Sheet, Slot
from atlas.tokens import (
    HEADING_WIDTH,
    NAME_SIZE,
    SEA_NAME_SIZE,
    SMALLEST_SUBTITLE,
    SUBTITLE_SIZE,
    PowerColours,
)
from atlas.wording import code_of, two_letters
from judge import Board, Position, Province, Variant

_Ways = tuple[tuple[str, str, tuple[Province, ...]], ...]
"""Per railway or canal: its id, its title, and the provinces through which it leads."""


@dataclass(frozen=True, eq=False)
class Stage:
    """What all pictures of a variant share: the sheet, names, colours, letters."""

    sheet: Sheet
    provinces: Mapping[str, Province]
    codes: Mapping[str, str]
    """Per province: the letters that name it."""
    colours: Mapping[str, PowerColours]
    letters: Mapping[str, str]
    """Per power: the two letters on its units."""
    names: Obstacles
    """Where the names and stars are."""
    centres: Mapping[str, Point]
    """Per supply centre: where its star is."""
    railways: Mapping[str, str]
    """The railways of the variant's rules: their titles by their ids."""
    canals: Mapping[str, str]
    """The canals of its rules, in the same way."""

    def name_size(self, province: str) -> float:
        """Return how high a province's name is written."""
        return name_size(self.sheet, province)

    def is_named(self, key: str) -> bool:
        """Whether a name is written: impassable land needs none."""
        province = self.provinces.get(key)
        return province is not None and province.kind != "impassable"


@dataclass(frozen=True)
class LegendEntry:
    """One power at the foot of a picture."""

    power: str
    text: str


@dataclass(frozen=True)
class Scene:
    """Everything a picture shows. The painters add the ground, the names and the heading."""

    stage: Stage
    tints: Mapping[str, str]
    """Per province on land: the power whose colour it has."""
    below: Sequence[Layer]
    """Layers from the stars to the lines and signs, under the units."""
    behind: Layer
    """What is drawn behind single units."""
    units: Layer
    above: Layer
    """Signs on units."""
    legend: Sequence[LegendEntry]
    title: str
    subtitle: str
    description: str
    """What the picture shows, for anybody who cannot see it."""


def name_size(sheet: Sheet, province: str) -> float:
    """Return the height of the letters that name a province."""
    is_sea = sheet.areas[province].kind == "sea"
    return (SEA_NAME_SIZE if is_sea else NAME_SIZE) * sheet.name_scale


def subtitle_size(subtitle: str) -> float:
    """Return the height of the letters of a subtitle: smaller if it would otherwise lie on a
    name."""
    wide = width_of(subtitle, "regular", SUBTITLE_SIZE)
    if wide <= HEADING_WIDTH:
        return SUBTITLE_SIZE
    return max(SMALLEST_SUBTITLE, math.floor(2 * SUBTITLE_SIZE * HEADING_WIDTH / wide) / 2)


def subtitle_cut(subtitle: str) -> str:
    """Return a subtitle that fits where no name stands; `a-name… · orders` if all of it does not.

    Cut only what stands before its first point, such as the name of a game, and keep what the
    picture shows.
    """
    name, point, rest = subtitle.partition(" · ")
    room = HEADING_WIDTH - width_of(f"…{point}{rest}", "regular", SMALLEST_SUBTITLE)
    if width_of(subtitle, "regular", SMALLEST_SUBTITLE) <= HEADING_WIDTH or not point:
        return subtitle
    while name and width_of(name, "regular", SMALLEST_SUBTITLE) > room:
        name = name[:-1]
    return f"{name}…{point}{rest}"


def stage_of(variant: Variant) -> Stage:
    """Return what the pictures of a variant share, the same object each time.

    A map that differs in fall, because of its ice, is drawn for the whole year, so that pictures of
    two phases fit on each other.
    """
    variant = variant.year_round or variant
    rules = variant.own_rules
    railways = tuple((way.id, way.title, way.way) for rule in rules if (way := rule.railway))
    canals = tuple((way.id, way.title, way.way) for rule in rules if (way := rule.canal))
    return _stage(variant.powers, variant.board, railways, canals)


@lru_cache(maxsize=32)
def _stage(powers: tuple[str, ...], board: Board, railways: _Ways, canals: _Ways) -> Stage:
    sheet = drawn_sheet(board) or _with_ways(laid_out(board), (*railways, *canals))
    names = _names(board, sheet)
    return Stage(
        sheet=sheet,
        provinces={province.id: province for province in board.provinces},
        codes={province.id: code_of(province) for province in board.provinces},
        colours=colours_of(powers),
        letters=two_letters(powers),
        names=names,
        centres={p.id: _centre(sheet.slots[p.id], names) for p in board.centers},
        railways={key: title for key, title, _ in railways},
        canals={key: title for key, title, _ in canals},
    )


@lru_cache(maxsize=16)
def _names(board: Board, sheet: Sheet) -> Obstacles:
    """Return where the names and stars are, the same object for all variants on a board: it takes
    90 kB."""
    sizes = {p.id: name_size(sheet, p.id) for p in board.provinces if p.kind != "impassable"}
    widths = {
        p.id: width_of(code_of(p), "italic" if p.kind == "sea" else "bold", sizes[p.id])
        for p in board.provinces
        if p.id in sizes
    }
    return Obstacles(sheet, widths, sizes)


def _with_ways(diagram: Sheet, ways: _Ways) -> Sheet:
    """Return the diagram with its railways and canals, from box to box."""
    if not ways:
        return diagram
    lines = {key: tuple(diagram.slots[one.id].unit for one in way) for key, _, way in ways}
    return replace(diagram, passages=lines)


def _centre(slot: Slot, names: Obstacles) -> Point:
    """Return where a centre's star is: beside the unit if the drawing has no place for it."""
    return slot.centre or names.beside(slot.unit)


def tints_of(
    stage: Stage, position: Position, influence: Mapping[str, str] | None
) -> dict[str, str]:
    """Return whose colour each province on land has.

    A centre has its owner's colour. Other land has that of the army on it, or else of whoever was
    there last, as `influence` says (province id to power). Without `influence`, a power's own
    country has its colour as long as the power owns a centre next to it.
    """
    tints = dict(influence) if influence is not None else _homelands(stage, position)
    for unit in position.units:
        if not unit.location.province.center and unit.location.province.kind != "sea":
            tints[unit.location.province.id] = unit.power
    for province in stage.provinces.values():
        if province.center:
            tints.pop(province.id, None)
    tints |= {province.id: power for province, power in position.centers.items()}
    return tints


def _homelands(stage: Stage, position: Position) -> dict[str, str]:
    board = position.variant.board
    owners = {province.index: power for province, power in position.centers.items()}
    kept = {}
    for key, power in stage.sheet.homelands.items():
        neighbours = board.neighbours[stage.provinces[key].index]
        if power in stage.colours and any(owners.get(index) == power for index in neighbours):
            kept[key] = power
    return kept


def influence_after(before: Mapping[str, str], position: Position) -> dict[str, str]:
    """Return who was last in each province without a centre, after one more position. To colour
    land as players remember it, begin with `{}` and take a game's positions in turn."""
    after = dict(before)
    for unit in position.units:
        province = unit.location.province
        if not province.center and province.kind != "sea":
            after[province.id] = unit.power
    return after


def legend_of(
    position: Position,
    after: Position | None,
    waived: Iterable[str],
    seen_by: str,
) -> list[LegendEntry]:
    """Return each power with its centres at the phase's end, what it gained or lost in it, and its
    waived builds; with `seen_by`, those of that power alone, and only the names of the others.

    Both pictures of a phase say the same, and so does the list beside them on a page.
    """
    passed = list(waived)
    entries = []
    for power in position.variant.powers:
        if seen_by not in ("", power):
            entries.append(LegendEntry(power, power))
            continue
        now = (after or position).holdings[power]
        change = now - position.holdings[power]
        text = f"{power} {now}" + (f" ({change:+d})".replace("-", "−") if change else "")
        if power in passed:
            text += f", waived {passed.count(power)}"
        entries.append(LegendEntry(power, text))
    return entries
