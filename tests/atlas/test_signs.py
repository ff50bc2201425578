"""Every kind of order with every result looks different, without colour."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from atlas import Subject, draw
from atlas.build.cases import ADJUSTMENTS, CASES, MOVEMENT, RETREATS, TOGETHER, Case
from atlas.build.samples import case_subject
from atlas.scene import Scene
from atlas.shapes import Badge, Disc, Group, Polygon, Segment, Shape, Stroke, Text, Track
from tests.atlas.games import setting
from tests.rows import each_row

Look = tuple[str, ...]


def look_of(shape: Shape) -> str:
    """A shape without its place and colour."""
    if isinstance(shape, Stroke):
        return f"line {shape.width} {shape.dash}"
    if isinstance(shape, Disc):
        return f"disc {shape.radius} {shape.dash} {bool(shape.fill)}"
    if isinstance(shape, Polygon):
        return f"polygon {len(shape.points)}"
    if isinstance(shape, Segment):
        return f"segment {shape.width}"
    if isinstance(shape, Badge):
        return f"unit {shape.kind} {shape.tilted} {shape.faded}"
    assert isinstance(shape, Text)
    return f"text {shape.text}"


def groups_of(scene: Scene, province: str) -> list[tuple[str, Group]]:
    layers = [*scene.below, scene.behind, scene.units, scene.above]
    return [
        (layer.name, group) for layer in layers for group in layer.groups if group.unit == province
    ]


def looks(subject: Subject, province: str) -> Look:
    """What is drawn for the unit of a province, layer by layer."""
    scene = draw(subject).scene
    return tuple(
        f"{layer}: {look_of(shape)}"
        for layer, group in groups_of(scene, province)
        for shape in group.shapes
    )


CHANNEL = {"France": ["F English Channel", "A Brest"]}
BY_CAPTION = {case.caption: case for case in CASES}
WORDS = {
    *("stands", "succeeds", "fails", "given", "cut", "invalid", "available", "disrupted"),
    *("illegal", "dislodged", "destroyed"),
}


def drawn(caption: str) -> Look:
    case = BY_CAPTION[caption]
    return looks(case_subject(case), case.province)


def retreat(*orders: str) -> Look:
    case = BY_CAPTION["retreats"]
    return looks(case_subject(case._replace(orders={"Germany": list(orders)})), case.province)


@each_row("caption", BY_CAPTION)
def test_the_case_is_what_it_says(caption: str) -> None:
    """The judge's words for the unit, so that a case cannot drift away from its caption."""
    case = BY_CAPTION[caption]
    subject = case_subject(case)
    place = subject.position.variant.board.province(case.province)
    words = {
        word
        for result in subject.results
        if result.order and place.name in result.order.split(" - ")[0].split(" Supports ")[0]
        for word in result.result
    }
    said = WORDS & set(re.findall(r"\w+", caption))

    assert said <= words
    assert said or caption in UNSAID


UNSAID = {
    *("holds", "no order", "must retreat", "retreats", "disbands (retreats)"),
    *("builds", "disbands", "stays"),
}
"""Captions without a word of the judge."""


@each_row(
    ("one", "other"),
    [pair for kind in (MOVEMENT, RETREATS, ADJUSTMENTS) for pair in combinations(kind, 2)],
    ids=lambda case: case.caption,
)
def test_no_two_of_one_kind_of_phase_look_alike(one: Case, other: Case) -> None:
    assert drawn(one.caption) != drawn(other.caption)


def test_the_attacker_is_not_mistaken_for_the_unit_it_drove_out() -> None:
    scene = draw(case_subject(BY_CAPTION["retreats"])).scene
    badges = [
        shape for group in scene.units.groups for shape in group.shapes if isinstance(shape, Badge)
    ]

    assert [(b.power, b.tilted) for b in badges] == [("France", False), ("Germany", True)]
    assert badges[0].at != badges[1].at


@each_row("case", TOGETHER, ids=lambda case: case.caption)
def test_orders_that_belong_together_went_as_the_page_of_signs_has_it(case: Case) -> None:
    failed = [one for one in case_subject(case).results if "fails" in one.result]
    bounced = {"a stand-off of three": 3, "good convoy, army bounced": 1}

    assert len(failed) == bounced.get(case.caption, 0)
    assert all(one.order and "illegal" not in one.result for one in case_subject(case).results)


CENTRES = {"France": ["Paris", "Brest", "Marseilles"], "Germany": ["Munich"]}


def test_a_waived_build_stands_in_the_legend() -> None:
    subject = setting(
        {"France": ["A Burgundy"]},
        {"France": ["Build F Brest", "Waive"]},
        "W1901A",
        centers=CENTRES,
    )
    legend = {entry.power: entry.text for entry in draw(subject).scene.legend}

    assert legend["France"] == "France 3, waived 1"
    assert legend["Germany"] == "Germany 1"


def test_an_illegal_second_order_is_no_mark_on_a_unit_that_moved() -> None:
    subject = setting(
        {"France": ["A Paris"]}, {"France": ["A Paris - Burgundy", "A Paris - Picardy"]}
    )

    assert looks(subject, "par") == drawn("moves: succeeds")


def test_a_good_convoy_of_an_army_that_bounced_has_no_mark_of_failure() -> None:
    subject = setting(
        {**CHANNEL, "England": ["A London"]},
        {"France": ["F English Channel C A Brest - London", "A Brest - London"]},
    )

    assert looks(subject, "eng") == tuple(
        look.replace("(8.0, 6.0)", "()") for look in drawn("convoys: available")
    )


def test_supports_of_one_move_are_counted_where_they_meet() -> None:
    units = {"France": ["A Paris", "A Marseilles", "A Gascony", "A Picardy"]}
    orders = [f"A {name} S A Paris - Burgundy" for name in ("Marseilles", "Gascony", "Picardy")]
    scene = draw(setting(units, {"France": ["A Paris - Burgundy", *orders]})).scene
    texts = [
        shape.text
        for layer in scene.below
        for group in layer.groups
        for shape in group.shapes
        if isinstance(shape, Text)
    ]

    assert texts == ["+3"]


def test_units_that_swap_places_go_different_ways() -> None:
    subject = setting(
        {"France": ["A Brest", "A Picardy", "F English Channel"]},
        {
            "France": [
                "A Brest - Picardy via Convoy",
                "F English Channel C A Brest - Picardy",
                "A Picardy - Brest",
            ]
        },
    )
    lines = [
        shape.path
        for province in ("bre", "pic")
        for layer, group in groups_of(draw(subject).scene, province)
        if layer == "moves"
        for shape in group.shapes[:1]
        if isinstance(shape, Stroke)
    ]

    assert [type(path) is Track for path in lines] == [True, False]


def test_a_convoy_by_two_fleets_goes_through_both_in_turn() -> None:
    subject = setting(
        {"England": ["A London", "F North Sea", "F Norwegian Sea"]},
        {
            "England": [
                "A London - Norway",
                "F North Sea C A London - Norway",
                "F Norwegian Sea H",
            ]
        },
    )
    [(_, group)] = [
        (layer, group) for layer, group in groups_of(draw(subject).scene, "lon") if layer == "moves"
    ]
    stroke = group.shapes[0]
    assert isinstance(stroke, Stroke)
    sheet = draw(subject).scene.stage.sheet

    assert sheet.slots["nth"].unit in stroke.path.flat()
    assert sheet.slots["nwg"].unit not in stroke.path.flat()


@pytest.mark.parametrize("coast", ["nc", "sc"])
def test_a_move_to_a_coast_ends_there(coast: str) -> None:
    subject = setting(
        {"France": ["F Mid-Atlantic Ocean"]},
        {"France": [f"F Mid-Atlantic Ocean - Spain({coast})"]},
    )
    [(_, group)] = [
        (layer, group) for layer, group in groups_of(draw(subject).scene, "mao") if layer == "moves"
    ]
    stroke = group.shapes[0]
    assert isinstance(stroke, Stroke)
    end = stroke.path.point(1)
    coasts = draw(subject).scene.stage.sheet.slots["spa"].coasts
    near = min(coasts, key=lambda name: abs(complex(*coasts[name]) - complex(*end)))

    assert near == coast


def test_a_centre_that_is_nobodys_is_no_star() -> None:
    subject = setting({}, {}, centers={"Russia": ["Moscow"]})
    stars = next(layer for layer in draw(subject).scene.below if layer.name == "centres")
    shapes = {group.key: type(group.shapes[0]) for group in stars.groups}

    assert shapes["mos"] is Polygon
    assert shapes["war"] is Disc
    assert len(shapes) == 34
