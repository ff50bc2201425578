"""The standard board as it is finally drawn: its borders and coasts are the game's."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from atlas import Subject, draw
from atlas.fonts import width_of
from atlas.scene import stage_of
from atlas.tokens import NAME_SIZE, SEA_NAME_SIZE
from judge import Position, Province, load_variant
from tests.atlas.reading import (
    Box,
    Corner,
    Ring,
    box,
    distance,
    edges,
    length,
    overlap,
    province_rings,
    shared_edges,
)

STANDARD = load_variant("standard")
BOARD = STANDARD.board
COASTS = [(p, coast) for p in BOARD.provinces for coast in p.coasts]


@cache
def outlines() -> dict[str, list[Ring]]:
    """Read from the finished SVG."""
    svg = draw(Subject(Position.start(STANDARD)), "board").svg()
    return province_rings(svg)


@cache
def contacts() -> dict[frozenset[str], list[tuple[Corner, Corner]]]:
    return shared_edges(outlines())


def game_pairs() -> set[frozenset[str]]:
    return {
        frozenset((one.id, BOARD.provinces[other].id))
        for one in BOARD.provinces
        for other in BOARD.neighbours[one.index]
    }


def test_every_province_is_drawn_with_an_outline() -> None:
    playable = {p.id for p in BOARD.provinces if p.kind != "impassable"}

    assert set(outlines()) == playable
    assert all(outlines().values())


def test_the_206_borders_of_the_game_are_drawn_and_no_other() -> None:
    assert len(game_pairs()) == 206
    assert {pair for pair in contacts() if pair <= set(outlines())} == game_pairs()


def test_no_border_is_too_short_to_be_seen() -> None:
    short = {tuple(sorted(p)): length(pieces) for p, pieces in contacts().items()}

    assert min(short.values()) >= 5, sorted(short.items(), key=lambda item: item[1])[:5]


def test_provinces_that_are_no_neighbours_keep_apart() -> None:
    touching = [
        (one, other, gap)
        for one, other in combinations(sorted(outlines()), 2)
        if frozenset((one, other)) not in game_pairs()
        and (gap := distance(outlines()[one], outlines()[other], 3.0)) < 3.0
        and not _meet_at_a_corner(one, other)
    ]

    assert not touching


def _meet_at_a_corner(one: str, other: str) -> bool:
    """Whether all the ground between two provinces is where four meet: no map can avoid that."""
    corners = [{corner for ring in outlines()[name] for corner in ring} for name in (one, other)]
    return bool(corners[0] & corners[1])


Stretch = tuple[set[str], list[Corner]]
"""A stretch of shore: the seas along it, and its corners."""


def shores(province: Province) -> list[Stretch]:
    """The stretches of shore of a province's main land, each from one neighbour to the next."""
    ring = max(outlines()[province.id], key=len)
    owners = {
        frozenset(piece): next(iter(pair - {province.id}))
        for pair, pieces in contacts().items()
        if province.id in pair
        for piece in pieces
    }
    turn = [(owners.get(frozenset(edge), ""), edge[0]) for edge in edges(ring)]
    land = next(i for i, (name, _) in enumerate(turn) if name and not is_sea(name))
    found: list[Stretch] = [(set(), [])]
    for name, corner in turn[land:] + turn[:land]:
        if is_sea(name):
            found[-1][0].add(name)
            found[-1][1].append(corner)
        elif name and found[-1][0]:
            found.append((set(), []))
    return [stretch for stretch in found if stretch[0]]


def is_sea(name: str) -> bool:
    return bool(name) and BOARD.province(name).kind == "sea"


def seas_of(province: Province, coast: str) -> set[str]:
    reach = BOARD.steps("F", BOARD.location(province, coast))
    return {at.province.id for at in reach if at.province.kind == "sea"}


@pytest.mark.parametrize(("province", "coast"), COASTS, ids=lambda value: str(value))
def test_each_of_the_six_coasts_is_one_stretch_of_shore(province: Province, coast: str) -> None:
    assert len(COASTS) == 6
    assert seas_of(province, coast) in [seas for seas, _ in shores(province)]


@pytest.mark.parametrize(("province", "coast"), COASTS, ids=lambda value: str(value))
def test_a_fleet_on_a_coast_stands_nearest_to_it(province: Province, coast: str) -> None:
    x, y = stage_of(STANDARD).sheet.at(BOARD.location(province, coast))

    def far(which: str) -> float:
        own = seas_of(province, which)
        corners = next(corners for seas, corners in shores(province) if seas == own)
        return min((cx / 10 - x) ** 2 + (cy / 10 - y) ** 2 for cx, cy in corners)

    assert min(province.coasts, key=far) == coast
    assert far(coast) < 40**2


def boxes() -> dict[tuple[str, str], Box]:
    """The boxes of names, units, stars and coasts."""
    stage = stage_of(STANDARD)
    found: dict[tuple[str, str], Box] = {}
    for key, slot in stage.sheet.slots.items():
        is_sea = stage.sheet.areas[key].kind == "sea"
        size = SEA_NAME_SIZE if is_sea else NAME_SIZE
        width = width_of(stage.codes[key], "italic" if is_sea else "bold", size)
        found[key, "name"] = box(slot.name, width, size * 0.7)
        found[key, "unit"] = box(slot.unit, 36, 24)
        if slot.centre:
            found[key, "centre"] = box(slot.centre, 14, 14)
        for coast, spot in slot.coasts.items():
            found[key, coast] = box(spot, 36, 24)
    return found


def test_no_name_unit_or_star_lies_over_another() -> None:
    over = [
        (one, other, round(shared))
        for (one, first), (other, second) in combinations(boxes().items(), 2)
        if (shared := overlap(first, second)) > 12 and not _never_both(one, other)
    ]

    assert not over


def _never_both(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """A province has one unit: the places of its army and its fleets may touch."""
    units = {"unit", "nc", "sc", "ec", "wc"}
    return one[0] == other[0] and {one[1], other[1]} <= units


def test_names_units_and_stars_lie_on_the_sheet() -> None:
    sheet = stage_of(STANDARD).sheet

    for key, (left, top, right, bottom) in boxes().items():
        assert 0 < left < right < sheet.width, key
        assert 0 < top < bottom < sheet.height, key
