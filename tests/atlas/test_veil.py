"""Fog of war on pictures: what is out of sight lies under a veil, and nothing else does."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from atlas import Subject, draw, phase_pictures
from atlas.palette import rgb
from atlas.scene import stage_of
from atlas.tokens import LAND
from atlas.veil import VEILED_LAND, VEILED_SEA, veil
from judge import Position, load_variant

STANDARD = load_variant("standard")
SEEN = frozenset({"Paris", "Burgundy", "English Channel", "Gascony"})


def picture(variant: str = "standard") -> tuple[Subject, Image.Image]:
    board = load_variant(variant)
    position = Position.from_state(board, {"phase": "S1901M", "units": {"France": ["A Paris"]}})
    seen = SEEN if variant == "standard" else frozenset()
    subject = Subject(position, seen_by="France", in_sight=(seen, seen))
    return subject, Image.open(io.BytesIO(draw(subject, "board").png(1000))).convert("RGB")


def colours_in(image: Image.Image, province: str) -> set[object]:
    """The colours of the province's ground, around where its unit would stand."""
    stage = stage_of(STANDARD)
    [found] = [p for p in STANDARD.board.provinces if p.name == province]
    x, y = stage.sheet.slots[found.id].unit
    return {image.getpixel((int(x) + dx, int(y) + dy)) for dx in (-9, 0, 9) for dy in (-9, 0, 9)}


def test_grey_land_and_dark_water_are_what_is_out_of_sight() -> None:
    _, image = picture()
    assert tuple(rgb(VEILED_LAND)) in colours_in(image, "Moscow")
    assert tuple(rgb(LAND)) in colours_in(image, "Burgundy")
    assert tuple(rgb(VEILED_LAND)) not in colours_in(image, "Gascony")
    assert tuple(rgb(VEILED_SEA)) in colours_in(image, "Barents Sea")
    assert tuple(rgb(VEILED_SEA)) not in colours_in(image, "English Channel")


def test_only_the_viewers_centres_are_counted_in_the_legend() -> None:
    subject, _ = picture()
    svg = draw(subject, "board").svg()
    assert "France 0" in svg
    assert "Germany" in svg
    assert "Germany 0" not in svg


def titles(subject: Subject) -> list[str]:
    return re.findall("<title>([^<]*)</title>", draw(subject, "board").svg())


def test_of_a_centre_out_of_sight_nobody_says_that_it_is_nobodys() -> None:
    subject, _ = picture()
    told = titles(subject)
    assert "Moscow: out of sight" in told
    assert "Paris: nobody's" in told


def test_an_owner_who_comes_into_sight_has_gained_nothing() -> None:
    """Only what was in sight before is known to have changed hands."""
    units = {"France": ["A Paris"]}
    before = {"phase": "F1901M", "units": units, "centers": {"France": ["Paris"]}}
    owned = {"France": ["Paris", "Brest"], "Germany": ["Munich", "Belgium"]}
    after = {"phase": "S1902M", "units": units, "centers": owned}
    first, then = (Position.from_state(STANDARD, state) for state in (before, after))
    sights = SEEN | {"Belgium"}, SEEN | {"Belgium", "Munich"}
    seen = titles(Subject(first, next=then, seen_by="France", in_sight=sights))
    assert [one for one in seen if "gained" in one] == [
        "France gained Brest",
        "Germany gained Belgium",
    ]
    assert "Munich: Germany" in seen
    assert "Germany gained Munich" in titles(Subject(first, next=then))


def test_the_words_of_a_picture_count_no_more_than_is_in_sight() -> None:
    state = {"phase": "W1901A", "units": {"France": ["A Paris"]}}
    position = Position.from_state(STANDARD, state)
    subject = Subject(position, (), position, seen_by="France", in_sight=(SEEN, SEEN))
    for mailed in phase_pictures(subject, width=100):
        assert ", as far as you can see: " in mailed.alt
    for mailed in phase_pictures(Subject(position, (), position), width=100):
        assert "as far as" not in mailed.alt


@pytest.mark.parametrize("variant", ["standard", "colonial", "chaos"])
def test_every_province_out_of_sight_is_covered_once(variant: str) -> None:
    board = load_variant(variant)
    stage = stage_of(board)
    all_seen = veil(stage, frozenset(p.name for p in board.board.provinces), {})
    none_seen = veil(stage, frozenset(), {})
    [whole], [bare] = all_seen.groups, none_seen.groups
    outlines = sum(len(area.rings) for area in stage.sheet.areas.values())
    covered = len(bare.shapes) - len(whole.shapes)
    assert len(board.board.provinces) <= covered + 1 <= outlines + 1
