"""Every board that is drawn, as it is finally drawn: its borders and coasts are the game's."""

from __future__ import annotations

import gc
import math
import tomllib
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import atlas
from atlas import Subject, boards, draw
from atlas.fonts import width_of
from atlas.scene import stage_of, subtitle_cut, subtitle_size
from atlas.sheet import Point, Sheet
from atlas.sheet import Ring as Line
from atlas.tokens import HEADING_LEFT, HEADING_LINES, NAME_SIZE, SEA_NAME_SIZE, TITLE_SIZE
from judge import Board, Position, Province, load_variant
from tests.atlas.reading import (
    SVG,
    Box,
    Corner,
    Ring,
    box,
    distance,
    edges,
    grown,
    length,
    overlap,
    province_rings,
    shared_edges,
)
from tests.rows import each_row

BOARDS = boards.drawn_boards()
SEEN = " · as Germany sees it"
BORDERS = {
    "ancient_med": (222, 5),
    "colonial": (326, 2),
    "modern": (402, 0),
    "standard": (206, 0),
}
"""Per board that is drawn: how many borders it has, and how many of them are drawn as links."""
COASTS = [
    (name, province, coast)
    for name in BOARDS
    for province in load_variant(name).board.provinces
    for coast in province.coasts
]
PLANS = Path(atlas.__file__).parent / "build"
APART = 3.0
"""Pixels that provinces keep apart at least that are no neighbours."""
every_board = pytest.mark.parametrize("name", BOARDS)
every_coast = pytest.mark.parametrize(("name", "province", "coast"), COASTS, ids=str)


def board_of(name: str) -> Board:
    return load_variant(name).board


def sheet_of(name: str) -> Sheet:
    return stage_of(load_variant(name)).sheet


def test_what_all_drawings_were_made_of_is_not_kept_beside_them() -> None:
    assert all(sheet_of(name) for name in BOARDS)
    kept = (one for one in gc.get_objects() if type(one) is dict)  # asks no lazy object
    assert not [one for one in kept if "arcs" in one and "places" in one]


def test_variants_on_the_same_board_share_where_its_names_are() -> None:
    one, other = (stage_of(load_variant(name)) for name in ("standard", "fleet_rome"))
    assert one.names is other.names


@cache
def svg_of(name: str) -> str:
    return draw(Subject(Position.start(load_variant(name))), "board").svg()


@cache
def outlines(name: str) -> dict[str, list[Ring]]:
    """Read from the finished SVG."""
    return province_rings(svg_of(name))


@cache
def contacts(name: str) -> dict[frozenset[str], list[tuple[Corner, Corner]]]:
    return shared_edges(outlines(name))


@cache
def game_pairs(name: str) -> set[frozenset[str]]:
    board = board_of(name)
    return {
        frozenset((one.id, board.provinces[other].id))
        for one in board.provinces
        for other in board.neighbours[one.index]
    }


@cache
def links(name: str) -> set[frozenset[str]]:
    """The neighbours whose link is drawn, read from the finished SVG."""
    root = ET.fromstring(svg_of(name))
    layers = [group for group in root.iter(f"{SVG}g") if group.get("id") == "crossings"]
    names = [group.get("id", "") for layer in layers for group in layer]
    return {frozenset(name.removeprefix("crossings-").split("-")) for name in names}


def test_every_border_of_a_drawn_board_is_counted() -> None:
    assert "standard" in BOARDS
    assert {name: len(game_pairs(name)) for name in BOARDS} == {
        name: count for name, (count, _) in BORDERS.items()
    }


@every_board
def test_every_province_is_drawn_with_an_outline(name: str) -> None:
    playable = {p.id for p in board_of(name).provinces if p.kind != "impassable"}

    assert set(outlines(name)) == playable
    assert all(outlines(name).values())


@every_board
def test_the_borders_of_the_game_are_drawn_and_no_other(name: str) -> None:
    """Each is an edge that two outlines share, or a link that is named."""
    edges_drawn = {pair for pair in contacts(name) if pair <= set(outlines(name))}

    assert edges_drawn | links(name) == game_pairs(name)
    assert not edges_drawn & links(name)


def test_hardly_a_border_is_a_link_and_none_on_the_standard_board() -> None:
    assert {name: len(links(name)) for name in BOARDS} == {
        name: count for name, (_, count) in BORDERS.items()
    }


@each_row("name", BOARDS)
def test_a_plan_gives_a_reason_for_each_link(name: str) -> None:
    plan = tomllib.loads((PLANS / f"{name}.toml").read_text(encoding="utf-8"))
    reasons = plan.get("crossings", {})

    assert all(reasons.values())
    assert links(name) <= {frozenset(pair.split("-")) for pair in reasons}


@each_row(
    ("choice", "joined"),
    [
        ("second_print", {"ota-sak"}),
        ("first_print", set()),
        ("hawes", {"sak-vla"}),
        ("moulmein", {"aki-ota", "ota-sak"}),
    ],
)
def test_the_land_bridges_that_a_game_chose_are_drawn(choice: str, joined: set[str]) -> None:
    variant = load_variant(f"colonial+land_bridges={choice}")
    drawn = {"-".join(link.between) for link in stage_of(variant).sheet.crossings}

    assert drawn == joined | {"kyo-kyu"}


@every_board
def test_a_link_says_whom_it_joins_and_ends_in_both(name: str) -> None:
    svg, board = svg_of(name), board_of(name)
    for link in sheet_of(name).crossings:
        one, other = (board.province(key).name for key in link.between)

        assert f"{one} borders {other}</title>" in svg
        assert math.dist(*link.ends) >= 12
        for key, spot in zip(link.between, link.ends, strict=True):
            rings = outlines(name)[key]
            assert sum(_holds(ring, spot) for ring in rings) % 2 == 1, key


def _holds(ring: Ring, spot: tuple[float, float]) -> bool:
    x, y, inside = spot[0] * 10, spot[1] * 10, False
    for (x0, y0), (x1, y1) in edges(ring):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            inside = not inside
    return inside


@every_board
def test_no_border_is_too_short_to_be_seen(name: str) -> None:
    short = {tuple(sorted(p)): length(pieces) for p, pieces in contacts(name).items()}

    assert min(short.values()) >= 5, sorted(short.items(), key=lambda item: item[1])[:5]


@every_board
def test_provinces_that_are_no_neighbours_keep_apart(name: str) -> None:
    reach = {key: grown(rings, APART) for key, rings in outlines(name).items()}
    touching = [
        (one, other, gap)
        for one, other in combinations(sorted(outlines(name)), 2)
        if overlap(reach[one], reach[other])
        and frozenset((one, other)) not in game_pairs(name)
        and (gap := distance(outlines(name)[one], outlines(name)[other], APART)) < APART
        and not _meet_at_a_corner(name, one, other)
    ]

    assert not touching


def _meet_at_a_corner(name: str, one: str, other: str) -> bool:
    """Whether all the ground between two provinces is where four meet: no map can avoid that."""
    corners = [{corner for ring in outlines(name)[key] for corner in ring} for key in (one, other)]
    return bool(corners[0] & corners[1])


Stretch = tuple[set[str], list[Corner]]
"""A stretch of shore: the seas along it, and its corners."""


def shores(name: str, province: Province) -> list[Stretch]:
    """The stretches of shore of a province's main land, each from one neighbour to the next."""
    ring = max(outlines(name)[province.id], key=len)
    owners = {
        frozenset(piece): next(iter(pair - {province.id}))
        for pair, pieces in contacts(name).items()
        if province.id in pair
        for piece in pieces
    }
    turn = [(owners.get(frozenset(edge), ""), edge[0]) for edge in edges(ring)]
    land = next(i for i, (key, _) in enumerate(turn) if key and not is_sea(name, key))
    found: list[Stretch] = [(set(), [])]
    for key, corner in turn[land:] + turn[:land]:
        if is_sea(name, key):
            found[-1][0].add(key)
            found[-1][1].append(corner)
        elif key and found[-1][0]:
            found.append((set(), []))
    return [stretch for stretch in found if stretch[0]]


def is_sea(name: str, key: str) -> bool:
    return bool(key) and board_of(name).province(key).kind == "sea"


def seas_of(name: str, province: Province, coast: str) -> set[str]:
    board = board_of(name)
    reach = board.steps("F", board.location(province, coast))
    return {at.province.id for at in reach if at.province.kind == "sea"}


@every_coast
def test_each_coast_is_one_stretch_of_shore(name: str, province: Province, coast: str) -> None:
    assert seas_of(name, province, coast) in [seas for seas, _ in shores(name, province)]


def test_the_standard_board_has_six_coasts() -> None:
    assert sum(name == "standard" for name, _, _ in COASTS) == 6


@every_coast
def test_a_fleet_on_a_coast_stands_nearest_to_it(name: str, province: Province, coast: str) -> None:
    x, y = sheet_of(name).at(board_of(name).location(province, coast))

    def far(which: str) -> float:
        own = seas_of(name, province, which)
        corners = next(corners for seas, corners in shores(name, province) if seas == own)
        return min((cx / 10 - x) ** 2 + (cy / 10 - y) ** 2 for cx, cy in corners)

    assert min(province.coasts, key=far) == coast
    assert far(coast) < 40**2


@cache
def boxes(name: str) -> dict[tuple[str, str], Box]:
    """The boxes of names, units, stars and coasts."""
    stage = stage_of(load_variant(name))
    found: dict[tuple[str, str], Box] = {}
    for key, slot in stage.sheet.slots.items():
        is_water = stage.sheet.areas[key].kind == "sea"
        size = SEA_NAME_SIZE if is_water else NAME_SIZE
        width = width_of(stage.codes[key], "italic" if is_water else "bold", size)
        found[key, "name"] = box(slot.name, width, size * 0.7)
        found[key, "unit"] = box(slot.unit, 36, 24)
        if slot.centre:
            found[key, "centre"] = box(slot.centre, 14, 14)
        for coast, spot in slot.coasts.items():
            found[key, coast] = box(spot, 36, 24)
    return found


@every_board
def test_no_name_unit_or_star_lies_over_another(name: str) -> None:
    over = [
        (one, other, round(shared))
        for (one, first), (other, second) in combinations(boxes(name).items(), 2)
        if (shared := overlap(first, second)) > 12 and not _never_both(one, other)
    ]

    assert not over


def _never_both(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """A province has one unit: the places of its army and its fleets may touch."""
    units = {"unit", "nc", "sc", "ec", "wc"}
    return one[0] == other[0] and {one[1], other[1]} <= units


@every_board
def test_the_heading_covers_no_name_and_no_star(name: str) -> None:
    large = sheet_of(name).lettering
    title = width_of("Winter 1901 adjustments", "bold", TITLE_SIZE)
    long = "w" * 40
    below = [subtitle_cut(f"{game}{SEEN} · orders and results") for game in ("marne", long)]
    widths = [width_of(one, "regular", subtitle_size(one)) for one in below]
    assert below[0] == f"marne{SEEN} · orders and results"
    assert below[1].endswith(f"w…{SEEN} · orders and results")
    right = HEADING_LEFT + max(title, *widths)
    heading = (0.0, 0.0, right * large, HEADING_LINES[1] * large)

    assert not [key for key, taken in boxes(name).items() if overlap(taken, heading) > 0]


@every_board
def test_no_name_or_star_covers_a_link(name: str) -> None:
    """Looked at from a third to two thirds of its way, where its heads are not."""
    covered = [
        (link.between, key)
        for link in sheet_of(name).crossings
        for key, (left, top, right, bottom) in boxes(name).items()
        for x, y in (_on_the_way(*link.ends, step / 12) for step in range(4, 9))
        if key[1] in ("name", "centre") and left < x < right and top < y < bottom
    ]

    assert not covered


def _on_the_way(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def ground_under(name: str, line: Line) -> list[str]:
    """The provinces that a line leads through, in its order, each as often as it enters it."""
    near = {key: rings for key, rings in outlines(name).items() if _meets(rings, line)}
    found: list[str] = []
    for start, end in pairwise(line):
        for step in range(12):
            spot = _on_the_way(start, end, step / 12)
            for key, rings in near.items():
                if found[-1:] != [key] and sum(_holds(ring, spot) for ring in rings) % 2 == 1:
                    found.append(key)
    return found


def _meets(rings: list[Ring], line: Line) -> bool:
    """Whether the rectangle round a line comes near a province, as a first look."""
    across, down = ([corner[axis] / 10 for ring in rings for corner in ring] for axis in (0, 1))
    xs, ys = zip(*line, strict=True)
    beside = max(across) < min(xs) or min(across) > max(xs)
    return not (beside or max(down) < min(ys) or min(down) > max(ys))


def test_the_railway_leads_through_its_stops_and_nothing_else() -> None:
    stops = ["mos", "prm", "oms", "kra", "irk", "vla"]

    assert ground_under("colonial", sheet_of("colonial").passages["TSR"]) == stops
    assert "Trans-Siberian Railroad</title>" in svg_of("colonial")


def test_the_canal_leads_from_sea_to_sea_through_egypt() -> None:
    assert ground_under("colonial", sheet_of("colonial").passages["SC"]) == ["med", "egy", "red"]
    assert "Suez Canal</title>" in svg_of("colonial")


@every_board
def test_names_units_and_stars_lie_on_the_sheet(name: str) -> None:
    sheet = sheet_of(name)

    for key, (left, top, right, bottom) in boxes(name).items():
        assert 0 < left < right < sheet.width, key
        assert 0 < top < bottom < sheet.height, key


@every_board
def test_the_letters_of_names_are_large_enough_to_read(name: str) -> None:
    sheet = sheet_of(name)

    assert SEA_NAME_SIZE * sheet.picture_width / sheet.width >= 12.8


@every_board
def test_a_unit_stands_in_its_province(name: str) -> None:
    """Its middle lies on the province's ground, or a few pixels beside that of a small one."""
    for key, slot in sheet_of(name).slots.items():
        for x, y in (slot.unit, *slot.coasts.values()) if key in outlines(name) else ():
            inside = sum(_holds(ring, (x, y)) for ring in outlines(name)[key]) % 2 == 1
            spot = [(round(x * 10), round(y * 10))]
            assert inside or distance([spot], outlines(name)[key], 9.0) < 8, key
