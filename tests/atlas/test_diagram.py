"""A board without a drawing becomes a diagram that can be read: any board, never an error."""

from __future__ import annotations

import io
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from atlas import Subject, draw, tokens
from atlas.diagram import laid_out
from atlas.fonts import width_of
from atlas.palette import rgb
from atlas.scene import stage_of
from atlas.sheet import LARGEST_NAMES, LETTERED_FOR, WIDEST, WIDEST_DIAGRAM, Point, Sheet
from atlas.tokens import FULL_NAME_SIZE
from atlas.wording import full_lines
from judge import Board, Phase, Position, Province, Unit, Variant, load_variant
from judge.places import Border
from tests.atlas.reading import box, overlap
from tests.examples import times

STANDARD = load_variant("standard")


def variant_on(board: Board, name: str = "unheard-of") -> Variant:
    return replace(STANDARD, name=name, title=name, board=board)


def without_drawing(board: Board = STANDARD.board, known: str = "pie") -> Board:
    """The borders on a board of which nobody has a drawing: a province has another id."""
    changed = (replace(p, id="xyz") if p.id == known else p for p in board.provinces)
    borders = [
        Border(b.one.replace(known, "xyz"), b.other.replace(known, "xyz"), b.passable)
        for b in board.borders
    ]
    return board.changed(provinces=changed, borders=borders)


@cache
def undrawn() -> Variant:
    """The variant on that board, whose diagram takes a second to lay out."""
    return variant_on(without_drawing())


@cache
def diagram() -> Sheet:
    return laid_out(undrawn().board)


def test_no_two_boxes_of_a_diagram_touch() -> None:
    sheet = diagram()

    assert sheet.is_diagram
    for one, other in combinations(sheet.slots.values(), 2):
        assert overlap(box(one.unit, 84, 60), box(other.unit, 84, 60)) == 0


def test_the_line_around_a_box_is_made_of_the_points_of_the_box() -> None:
    """A large board has hundreds of boxes, of 28 points each: 3 MB."""
    sheet = diagram()
    points = {id(point) for area in sheet.areas.values() for point in area.rings[0]}

    rims = [line for line in sheet.lines if not line.kind.startswith("by ")]
    assert len(rims) == len(sheet.areas)
    assert all(id(point) in points for rim in rims for point in rim.points)


def test_every_border_is_a_line_and_no_line_is_no_border() -> None:
    board, sheet = undrawn().board, diagram()
    middles = {(slot.unit[0], slot.unit[1] - 10.0): key for key, slot in sheet.slots.items()}
    lines = [
        frozenset(middles[min(middles, key=lambda m: math.dist(m, end))] for end in line.points)
        for line in sheet.lines
        if line.kind.startswith("by ")
    ]
    wanted = {
        frozenset((one.id, board.provinces[other].id))
        for one in board.provinces
        for other in board.neighbours[one.index]
    }

    assert set(lines) == wanted
    assert len(lines) == len(wanted)


def test_hardly_a_line_runs_behind_a_box_that_it_does_not_lead_to() -> None:
    sheet = diagram()
    ends = [line.points for line in sheet.lines if line.kind.startswith("by ")]
    behind = [
        key
        for key, slot in sheet.slots.items()
        for one, other in ends
        if min(math.dist(slot.unit, one), math.dist(slot.unit, other)) > 12
        and overlap(box(nearest(slot.unit, one, other), 1, 1), box(slot.unit, 84, 60))
    ]

    assert len(behind) <= 5, behind


def nearest(spot: Point, start: Point, end: Point) -> Point:
    """The point of a line that is nearest to a spot."""
    (x, y), (x0, y0), (x1, y1) = spot, start, end
    dx, dy = x1 - x0, y1 - y0
    share = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)))
    return x0 + share * dx, y0 + share * dy


def test_a_diagram_of_known_places_lies_as_the_map_does() -> None:
    slots = diagram().slots

    assert slots["lon"].unit[0] < slots["mos"].unit[0]
    assert slots["nwy"].unit[1] < slots["tun"].unit[1]
    assert slots["por"].unit[0] < slots["con"].unit[0]


def test_a_board_with_ice_in_fall_lies_as_it_does_in_spring() -> None:
    """The page of a game has one still drawing, on which every phase is laid."""
    spring = load_variant("loeb9")
    fall = spring.at(Phase.parse("F1901M"))
    assert fall.board is not spring.board
    assert stage_of(fall) is stage_of(spring)


def test_a_diagram_has_the_railway_and_the_canal_from_box_to_box() -> None:
    colonial = load_variant("colonial")
    variant = colonial.on_board(without_drawing(colonial.board, "for"))
    sheet = stage_of(variant).sheet
    assert sheet.is_diagram
    ways = {"SC": ["med", "egy", "red"], "TSR": ["mos", "prm", "oms", "kra", "irk", "vla"]}
    assert sheet.passages == {
        key: tuple(sheet.slots[stop].unit for stop in stops) for key, stops in ways.items()
    }
    drawn = draw(Subject(Position.start(variant)), "board").svg()
    assert "Suez Canal</title>" in drawn
    assert "Trans-Siberian Railroad</title>" in drawn


def test_a_diagram_tells_land_coast_and_sea_by_shape() -> None:
    sheet = diagram()
    outlines = {key: sheet.areas[key].rings[0] for key in ("boh", "lon", "nth")}
    corners = {
        key: tuple(
            (round(x - sheet.slots[key].unit[0], 1), round(y - sheet.slots[key].unit[1], 1))
            for x, y in ring
        )
        for key, ring in outlines.items()
    }
    rims = {line.points[0]: line.kind for line in sheet.lines}

    assert corners["lon"] == corners["boh"] != corners["nth"]
    assert rims[outlines["lon"][0]] != rims[outlines["boh"][0]]


def test_a_diagram_has_the_exact_colours_of_seas_and_land() -> None:
    picture = draw(Subject(Position(undrawn(), Phase.parse("S1901M"))))
    pixels = Image.open(io.BytesIO(picture.png())).convert("RGB").getcolors(1 << 24) or []

    assert {rgb(tokens.SEA), rgb(tokens.LAND), rgb(tokens.PAPER)} <= {
        colour for _, colour in pixels
    }


def test_a_star_stands_clear_of_the_full_name_beside_it() -> None:
    """But of the one or two longest: Constantinople reaches over its whole box."""
    stage = stage_of(undrawn())
    slots = stage.sheet.slots
    hidden = [
        p.name
        for p in stage.provinces.values()
        if p.center
        and (width := max(width_of(line, "bold", FULL_NAME_SIZE) for line in full_lines(p)))
        and overlap(box(slots[p.id].name, width, 12), box(stage.centres[p.id], 12, 12)) > 12
    ]

    assert len(hidden) <= 1, hidden


def test_a_page_names_places_on_a_large_diagram_by_letters_whatever_its_width() -> None:
    """In full they would be eight pixels high; on the drawing the page chooses by its width."""
    plain = draw(Subject(Position(undrawn(), Phase.parse("S1901M"))))
    drawing = draw(Subject(Position.start(STANDARD)))

    assert "#names-full" not in plain.svg_on("/map.svg")
    assert 'class="names"' in plain.svg_on("/map.svg")
    assert {"#names-code", "#names-full"} <= set(re.findall("#names-[a-z]+", drawing.svg_on("/m")))


def test_the_letters_of_a_large_diagram_are_larger_for_it_is_shown_smaller() -> None:
    small, large = (
        Sheet(width, 900, {}, {}, (), is_diagram=True) for width in (LETTERED_FOR, 2 * LETTERED_FOR)
    )

    assert (small.lettering, small.name_scale) == (1.0, 1.0)
    assert (large.lettering, large.name_scale) == (2.0, LARGEST_NAMES)
    assert large.picture_width == WIDEST_DIAGRAM
    assert Sheet(2000, 900, {}, {}, ()).picture_width == WIDEST


def test_a_board_that_leaves_out_what_nobody_can_enter_is_drawn_all_the_same() -> None:
    provinces = [p for p in STANDARD.board.provinces if p.kind != "impassable"]
    variant = variant_on(Board(provinces, STANDARD.board.borders), "without Switzerland")
    picture = draw(Subject(Position(variant, Phase.parse("S1901M"))))

    assert not picture.scene.stage.sheet.is_diagram
    assert picture.svg().startswith("<svg")
    assert picture.png()


def test_what_the_drawing_lacks_only_a_star_for_is_drawn_on_it() -> None:
    """As in Crowded, where the Ruhr is a supply centre."""
    provinces = [replace(p, center=True) if p.id == "ruh" else p for p in STANDARD.board.provinces]
    stage = stage_of(variant_on(Board(provinces, STANDARD.board.borders), "crowded"))

    assert not stage.sheet.is_diagram
    assert math.dist(stage.centres["ruh"], stage.sheet.slots["ruh"].unit) < 60


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards of any shape: torn apart, without borders, with every kind of province and coast."""
    kinds = draw(
        st.lists(st.sampled_from(["land", "coast", "sea", "impassable"]), min_size=1, max_size=24)
    )
    provinces = [
        Province(
            f"p{number}",
            f"Place {number}",
            kind,
            ("nc", "sc") if kind == "coast" and number % 5 == 0 else (),
            center=kind == "coast" and number % 3 == 0,
        )
        for number, kind in enumerate(kinds)
    ]
    pairs = st.tuples(st.integers(0, len(kinds) - 1), st.integers(0, len(kinds) - 1))
    borders = [
        Border(f"p{one}", f"p{other}", passable)
        for (one, other), passable in draw(
            st.lists(st.tuples(pairs, st.sampled_from(["A", "F", "AF"])), max_size=60)
        )
        if one != other
    ]
    return Board(provinces, borders)


@times(0.4)
@given(boards())
def test_any_board_is_drawn(board: Board) -> None:
    variant = replace(variant_on(board), by_name={"Austria": STANDARD.by_name["Austria"]})
    units = [
        Unit("A", board.location(p), "Austria")
        for p in board.provinces
        if p.kind in ("land", "coast")
    ]
    units += [Unit("F", board.location(p), "Austria") for p in board.provinces if p.kind == "sea"]
    position = Position(variant, Phase.parse("S1901M"), tuple(units))
    picture = draw(Subject(position))

    assert Image.open(io.BytesIO(picture.png())).format == "PNG"
    ET.fromstring(picture.svg())
    shown = [p for p in board.provinces if p.kind != "impassable"]
    spots = [picture.scene.stage.sheet.slots[p.id].unit for p in shown]
    assert len(set(spots)) == len(spots)
