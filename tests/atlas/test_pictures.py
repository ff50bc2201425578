"""Pictures of crowded phases: complete, small, and with nothing over what must be read."""

from __future__ import annotations

import io
import math
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from PIL import Image, ImageChops

import pages
from atlas import Heading, Subject, View, draw, influence_after, still_svg, tokens
from atlas.fonts import width_of
from atlas.legend import legend_lines
from atlas.palette import rgb
from atlas.raster import painter
from atlas.raster.ground import cached_label
from atlas.scene import Scene, stage_of
from atlas.shapes import Badge, Disc, Group, Polygon, Shape
from atlas.sheet import Sheet
from atlas.units import HEAD
from judge import Position, load_variant, variant_names
from tests.atlas.games import adjudicated, beginning, crowded, game, setting
from tests.atlas.reading import SVG, box, overlap
from tests.rows import each_row

VIEWS: tuple[View, ...] = ("orders", "board")
MANY = 200
"""Crowded phases on which the places of signs are tried."""


@cache
def most_crowded(variant: str) -> dict[str, Subject]:
    """Of each kind of phase the one with most units, from the beginning of a game."""
    by_units = sorted(beginning(variant), key=lambda one: len(one.position.units))
    return {one.position.phase.step: one for one in by_units}


def shapes_of(groups: list[Group]) -> list[Shape]:
    return [shape for group in groups for shape in group.shapes]


def badges(scene: Scene) -> list[Badge]:
    return [shape for shape in shapes_of(list(scene.units.groups)) if isinstance(shape, Badge)]


@pytest.mark.parametrize("view", VIEWS)
def test_a_crowded_phase_is_a_png_of_at_most_150_kb(view: View) -> None:
    heading = Heading(subtitle="marne · what was ordered and what came of it")
    for subject in crowded(8):
        png = draw(subject, view, heading).png(1000)
        picture = Image.open(io.BytesIO(png))

        assert len(png) <= 150_000
        assert (picture.format, picture.width, picture.mode) == ("PNG", 1000, "P")


@each_row("variant", variant_names())
def test_pages_give_large_boards_room_for_their_letters(variant: str) -> None:
    """The style of the pages knows a board by how wide it is drawn: beside its orders the letters
    of one of 1400 pixels are too small."""
    style = (Path(pages.__file__).parent / "static/pages/site.css").read_text()
    width = stage_of(load_variant(variant)).sheet.width
    begins = set(re.findall(r'viewBox\^="([^"]+)"', style))
    assert any(f"0 0 {width} ".startswith(one) for one in begins) == (width >= 1400), width


@each_row("variant", variant_names())
def test_a_crowded_phase_of_any_kind_and_variant_fits_into_a_mail_and_can_be_read(
    variant: str,
) -> None:
    """A board of 180 provinces is made smaller, but its names stay as high as those of a mail."""
    for subject, view in product(most_crowded(variant).values(), VIEWS):
        picture = draw(subject, view)
        png, stage = picture.png(), picture.scene.stage
        opened = Image.open(io.BytesIO(png))
        shrunk = opened.width / stage.sheet.width

        assert opened.format == "PNG"
        assert len(png) <= 150_000
        assert min(stage.name_size(key) for key in stage.sheet.slots) * shrunk >= 11
        ET.fromstring(picture.svg())

    assert {"M", "A"} <= set(most_crowded(variant))


def test_a_picture_has_the_exact_colours_of_units_and_land() -> None:
    """A palette that left one out would turn a power's arrows into another's."""
    subject = Subject(Position.start(load_variant("standard")))
    picture = Image.open(io.BytesIO(draw(subject, "board").png())).convert("RGB")
    found = {colour for _, colour in picture.getcolors(1 << 24) or []}

    for power, colours in tokens.POWERS.items():
        assert rgb(colours.tint) in found, power
        assert rgb(colours.unit) in found, power
    assert rgb(tokens.LAND) in found
    assert rgb(tokens.SEA) in found


def test_the_same_phase_is_the_same_bytes() -> None:
    subject = crowded(1)[0]

    assert draw(subject).png() == draw(subject).png()
    assert draw(subject).svg() == draw(subject).svg()


def test_the_heading_of_every_game_ever_drawn_is_not_kept() -> None:
    """They are of a size with all other words on a map, and there are thousands of them."""
    subject = crowded(1)[0]
    draw(subject, heading=Heading("first")).png(360)
    kept = cached_label.cache_info().currsize
    for number in range(20):
        draw(subject, heading=Heading(f"game {number}", f"{number} sees it")).png(360)

    assert cached_label.cache_info().currsize == kept


@pytest.mark.parametrize("width", [360, 1000, 1400])
def test_a_png_is_as_wide_as_is_asked(width: int) -> None:
    png = draw(crowded(1)[0]).png(width)

    assert Image.open(io.BytesIO(png)).width == width


@pytest.mark.parametrize("view", VIEWS)
def test_every_unit_is_drawn_once(view: View) -> None:
    for subject in crowded(20):
        position = subject.position if view == "orders" else subject.next
        assert position is not None
        drawn = sorted((badge.kind, badge.power) for badge in badges(draw(subject, view).scene))
        standing = [*position.units, *(one.unit for one in position.dislodged)]

        assert drawn == sorted((unit.kind, unit.power) for unit in standing)


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_painted_piece_by_piece_is_nowhere_cut_off(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dot in ten thousand differs by a shade: a piece knows more exactly where a line is."""
    for subject in crowded(4):
        scene = draw(subject, view).scene
        pieces = painter.paint(scene, 1000)
        whole = 0.0, 0.0, float(scene.stage.sheet.width), float(scene.stage.sheet.height)
        with monkeypatch.context() as patch:
            patch.setattr(painter, "_bounds", lambda shapes, whole=whole: whole)
            at_once = painter.paint(scene, 1000)
        grey = ImageChops.difference(pieces, at_once).convert("L")
        assert sum(grey.histogram()[2:]) <= 1e-4 * pieces.width * pieces.height


def heads(scene: Scene) -> list[tuple[float, float, float, float]]:
    """The boxes of the heads of all arrows, without their soft edge."""
    found = []
    for layer in scene.below:
        for shape in shapes_of(list(layer.groups)):
            if isinstance(shape, Polygon) and len(shape.points) == len(HEAD):
                xs, ys = zip(*shape.points, strict=True)
                found.append((min(xs) + 2, min(ys) + 2, max(xs) - 2, max(ys) - 2))
    return found


def test_no_unit_covers_a_name_and_hardly_any_head_of_an_arrow_touches_one() -> None:
    """Of 200 crowded phases; names are drawn last, so the one head of a hundred lies behind."""
    covered, touched, total = [], 0, 0
    for subject in crowded(MANY):
        scene = draw(subject).scene
        names = [box(slot.name, 30, 13) for slot in scene.stage.sheet.slots.values()]
        for badge in badges(scene):
            covered += [badge for name in names if overlap(box(badge.at, 31, 23), name) > 12]
        for head in heads(scene):
            total += 1
            touched += any(overlap(head, name) > 12 for name in names)

    assert not covered
    assert touched <= 0.01 * total


def test_hardly_a_cross_that_says_that_a_move_failed_is_hidden_by_a_name() -> None:
    """Names are drawn over it: where a line breaks off is chosen so that its cross can be seen."""
    hidden = total = 0
    for subject in crowded(MANY // 2):
        scene = draw(subject).scene
        names = [box(slot.name, 34, 17) for slot in scene.stage.sheet.slots.values()]
        for shape in shapes_of([group for layer in scene.below for group in layer.groups]):
            if isinstance(shape, Disc) and shape.edge == tokens.FAILURE:
                total += 1
                hidden += sum(overlap(box(shape.centre, 19, 19), name) for name in names) > 180

    assert total > 500
    assert hidden <= 0.005 * total


def test_a_unit_driven_out_stands_clear_of_its_attacker() -> None:
    """At least 98 of 100 touch no unit at all, none covers the unit that drove it out, and none
    seems to stand already where it may go."""
    clear = total = 0
    for subject in crowded(MANY):
        assert subject.next is not None
        sheet = stage_of(subject.next.variant).sheet
        found = badges(draw(subject, "board").scene)
        driven_out = [badge for badge in found if badge.tilted]
        for tilted, one in zip(driven_out, subject.next.dislodged, strict=True):
            total += 1
            ways_out = [sheet.at(place) for place in one.retreats]
            assert all(math.dist(tilted.at, place) > 40 for place in ways_out)
            others = [badge for badge in found if badge is not tilted]
            own = box(tilted.at, 31, 23)
            clear += not any(overlap(own, box(other.at, 31, 23)) > 12 for other in others)
            assert min(math.dist(tilted.at, other.at) for other in others) > 20

    assert total > 50
    assert clear / total >= 0.98


def test_a_unit_that_retreats_does_not_seem_to_stand_there_already() -> None:
    retreats = [one for seed in range(1, 4) for one in game(seed) if one.position.dislodged]
    for subject in retreats:
        sheet = stage_of(subject.position.variant).sheet
        tilted = [badge for badge in badges(draw(subject).scene) if badge.tilted]
        for badge, one in zip(tilted, subject.position.dislodged, strict=True):
            assert all(math.dist(badge.at, sheet.at(place)) > 40 for place in one.retreats)

    assert len(retreats) > 20


def test_an_arrow_ends_before_a_unit_that_stands_where_it_leads() -> None:
    for subject in crowded(20):
        scene = draw(subject).scene
        for left, top, right, bottom in heads(scene):
            middle = (left + right) / 2, (top + bottom) / 2
            assert all(math.dist(middle, badge.at) > 12 for badge in badges(scene))


def test_an_svg_has_one_group_per_layer_and_an_id_for_each_order_and_province() -> None:
    for subject in crowded(5):
        root = ET.fromstring(draw(subject).svg())
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        groups = {element.get("id"): element for element in root if element.tag == f"{SVG}g"}

        assert len(ids) == len(set(ids))
        assert {"provinces", "supports", "moves", "signs", "units", "names", "legend"} <= set(
            groups
        )
        for unit in subject.position.units:
            group = next(
                g for g in groups["units"] if g.get("id") == f"units-{unit.location.province.id}"
            )
            title = group.find(f"{SVG}title")
            assert title is not None
            assert title.text is not None
            assert title.text.startswith(f"{unit.power}: ")
        for path in groups["provinces"]:
            assert path.find(f"{SVG}title") is not None


def test_every_use_in_an_svg_has_its_drawing() -> None:
    root = ET.fromstring(draw(crowded(1)[0]).svg())
    ids = {element.get("id") for element in root.iter()}
    used = [element.get("href", "") for element in root.iter(f"{SVG}use")]

    assert used
    assert all(href.removeprefix("#") in ids for href in used)


def test_what_a_map_has_of_names_and_letters_is_not_read_out() -> None:
    """Two hundred words stood before what it tells of centres, units and orders."""
    picture = draw(crowded(1)[0])
    for drawn in (picture.svg(), picture.svg_on("/map.svg")):
        root = ET.fromstring(drawn)
        unread = {e for g in root.iter() if g.get("aria-hidden") == "true" for e in g.iter()}
        said = {e.text for e in root.iter() if e not in unread and e.text}
        assert not [
            e for e in root.iter(f"{SVG}use") if "/map.svg" in str(e.attrib) and e not in unread
        ]
        assert not said & {"Par", "Fr", "Paris", "France 5"}
        assert any(one.startswith("Paris: ") for one in said)
        assert any(one.startswith("France: ") for one in said)


def test_an_svg_tells_the_result_and_its_reason() -> None:
    subject = setting(
        {"France": ["A Paris"], "Germany": ["A Munich"]},
        {"France": ["A Paris - Burgundy"], "Germany": ["A Munich - Burgundy"]},
    )
    [result] = [result for result in subject.results if result.power == "France"]

    assert f"France: A Paris - Burgundy: fails. {result.reason}" in draw(subject).svg()


def test_an_svg_has_full_names_when_asked() -> None:
    subject = Subject(Position.start(load_variant("standard")))

    assert "Constantinople</text>" in draw(subject).svg("full")
    assert "Mid-Atlantic</text>" in draw(subject).svg("full")
    assert "Con</text>" in draw(subject).svg()


def test_changes_make_one_phase_out_of_the_svg_of_another() -> None:
    """What a page does when its reader goes on to the next phase."""
    one, other = (draw(subject, "orders") for subject in crowded(2))
    changes = other.changes()
    groups = {
        "layers": changes.layers,
        "legend": changes.legend,
        "symbols": changes.definitions,
    }
    root = ET.fromstring(one.svg_on("/still.svg"))
    for element in list(root.iter()):
        name = element.get("id", "")
        replaced = groups.get(name)
        if replaced is not None:
            new = ET.fromstring(f'<g xmlns="{SVG[1:-1]}" id="{name}">{replaced}</g>')
            element[:] = list(new)
        if name.startswith("province-") and name.removeprefix("province-") in changes.fills:
            element.set("fill", changes.fills[name.removeprefix("province-")])
        if element.tag == f"{SVG}desc":
            element.text = changes.description
    title = root.find(f"{SVG}title")
    assert title is not None
    title.text = changes.title

    assert ET.tostring(root) == ET.tostring(ET.fromstring(other.svg_on("/still.svg")))
    assert sum(map(len, groups.values())) < len(one.svg()) / 4


def test_a_page_finds_in_the_still_drawing_whatever_its_pictures_name() -> None:
    for variant in ("standard", "chaos"):
        subject = Subject(Position.start(load_variant(variant)))
        still = ET.fromstring(still_svg(subject.position.variant))
        there = {element.get("id") for element in still.iter()}
        named = re.findall(r'"/still.svg#([^"]+)"', draw(subject).svg_on("/still.svg"))

        assert len(named) > 60
        assert set(named) <= there


def test_the_parts_on_a_page_are_those_of_the_whole_picture() -> None:
    """Nothing is lost: what the still drawing has not, the page has."""
    [subject] = crowded(1)
    whole = {e.get("id") for e in ET.fromstring(draw(subject).svg()).iter()}
    page = {e.get("id") for e in ET.fromstring(draw(subject).svg_on("/x.svg")).iter()}
    still = {e.get("id") for e in ET.fromstring(still_svg(subject.position.variant)).iter()}

    assert whole - {"names", "heading"} <= page | still


def test_what_people_write_cannot_break_an_svg() -> None:
    heading = Heading("<script>alert(1)</script>", 'a & b "c"')
    root = ET.fromstring(draw(crowded(1)[0], "orders", heading).svg())

    assert not list(root.iter(f"{SVG}script"))
    assert "<script>alert(1)</script>" in [text.text for text in root.iter(f"{SVG}text")]


def test_characters_that_no_xml_can_hold_are_left_out_of_an_svg() -> None:
    heading = Heading("bell\x07 and nul\x00", "half\ud83d a smile, a whole 😀")
    svg = draw(crowded(1)[0], "orders", heading).svg()
    written = [text.text for text in ET.fromstring(svg.encode()).iter(f"{SVG}text")]

    assert {"bell and nul", "half a smile, a whole 😀"} <= set(written)


def test_a_notebook_shows_a_picture() -> None:
    picture = draw(crowded(1)[0])

    assert picture._repr_svg_() == picture.svg()


@pytest.mark.parametrize("variant", ["chaos", "1898"])
def test_chaos_and_1898_are_drawn_on_the_standard_board(variant: str) -> None:
    pictures = [
        draw(Subject(Position.start(load_variant(name))), "board") for name in ("standard", variant)
    ]

    assert pictures[0].scene.stage.sheet is pictures[1].scene.stage.sheet


def test_the_34_powers_of_chaos_have_34_pairs_of_letters() -> None:
    stage = draw(Subject(Position.start(load_variant("chaos")))).scene.stage

    assert len(set(stage.letters.values())) == 34
    assert all(len(letters) == 2 for letters in stage.letters.values())
    assert len(set(stage.colours.values())) == 34


def test_the_board_before_anything_was_adjudicated_is_the_position() -> None:
    position = Position.start(load_variant("standard"))
    scene = draw(Subject(position), "board").scene

    assert len(badges(scene)) == 22
    assert scene.title == "Spring 1901 movement"


def test_land_has_the_colour_of_whoever_was_there_last() -> None:
    subject = setting({"Germany": ["A Ruhr"]}, {}, centers={"Austria": ["Vienna"]})

    austrian = dict.fromkeys(("vie", "boh", "gal", "tyr"), "Austria")
    assert draw(subject).scene.tints == {"ruh": "Germany", **austrian}
    known = influence_after({"boh": "Germany"}, subject.position)
    assert known == {"boh": "Germany", "ruh": "Germany"}
    tints = draw(subject, influence=known).scene.tints
    assert tints == {"boh": "Germany", "ruh": "Germany", "vie": "Austria"}


def test_a_won_centre_is_told_on_the_board_and_in_both_legends() -> None:
    subject = setting(
        {"Germany": ["A Holland"]}, {}, "F1901M", centers={"Germany": ["Kiel", "Munich"]}
    )
    scene = draw(subject, "board").scene
    gains = next(layer for layer in scene.below if layer.name == "gains")

    assert [group.title for group in gains.groups] == ["Germany gained Holland"]
    for shown in (scene, draw(subject).scene):
        assert {e.power: e.text for e in shown.legend}["Germany"] == "Germany 3 (+1)"


@each_row("variant", variant_names())
def test_every_power_stands_in_the_legend_once_and_beside_the_others(variant: str) -> None:
    scene = draw(Subject(Position.start(load_variant(variant)))).scene
    sheet, lines = scene.stage.sheet, legend_lines(scene)

    assert [entry.power for line in lines for _, entry in line] == list(scene.stage.colours)
    for line in lines:
        ends = [x + 22 * sheet.lettering + _width(entry.text, sheet) for x, entry in line]
        following = [*(x for x, _ in line[1:]), sheet.width]
        assert all(end < badge for end, badge in zip(ends, following, strict=True))


def test_words_beside_each_other_keep_their_width_in_other_letters() -> None:
    """An SVG that stands in a page as an image cannot load ours, and others may be wider."""
    picture = draw(
        Subject(Position.start(load_variant("standard"))), heading=Heading(subtitle="marne")
    )
    words = ET.fromstring(picture.svg()).iterfind(".//{*}g[@id='legend']/{*}text")
    wide = {one.text: float(one.attrib["textLength"]) for one in words}
    sheet = picture.scene.stage.sheet
    assert wide == {
        entry.text: pytest.approx(_width(entry.text, sheet), abs=0.1)
        for entry in picture.scene.legend
    }
    assert picture.svg().count("textLength=") == len(wide) + 2, "and the heading"


def _width(text: str, sheet: Sheet) -> float:
    return width_of(text, "regular", tokens.LEGEND_SIZE) * sheet.lettering


def test_a_result_without_readable_order_leaves_the_unit_standing() -> None:
    subject = setting({"France": ["A Paris"]}, {"France": ["blah blah", "A Paris - Narnia"]})

    assert len(badges(draw(subject).scene)) == 1


def test_a_unit_with_two_orders_is_drawn_once() -> None:
    subject = adjudicated(
        setting({"France": ["A Paris"]}, {}).position,
        {"France": ["A Paris - Burgundy", "A Paris - Picardy"]},
    )
    moves = next(layer for layer in draw(subject).scene.below if layer.name == "moves")

    assert len(moves.groups) == 1
