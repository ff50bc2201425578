"""Colours, computed: what must be told apart can be, and what is written can be read.

Distances are CAM02-UCS; dichromacies are those of Machado, Oliveira and Fernandes (2009) at full
strength. 11 is about ten times what side by side is just noticed.
"""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest
from coloraide import Color as PlainColor
from coloraide.distance.delta_e_cam02 import DECAM02
from coloraide.spaces.cam02 import CAM02JMh
from coloraide.spaces.cam02_ucs import CAM02UCS

from atlas import tokens
from atlas.boards import drawn_boards
from atlas.palette import colours_of
from judge import load_variant, variant_names
from tests.rows import each_row

SIGHTS = ("normal", "protan", "deutan", "tritan")
TINTS = {name: colours.tint for name, colours in tokens.POWERS.items()} | {"land": tokens.LAND}


class Color(PlainColor):
    """Colours that know the appearance model."""


Color.register([CAM02JMh(), CAM02UCS(), DECAM02()])


def seen(colour: str, sight: str) -> Color:
    """A colour as somebody with that sight sees it."""
    if sight == "normal":
        return Color(colour)
    return Color(colour).filter(sight, 1, method="machado").clip()


def lightness(colour: str) -> float:
    """L* of the grey that a colour becomes."""
    return float(Color(colour).convert("lab-d65")["lightness"])


def contrast(one: str, other: str) -> float:
    return float(Color(one).contrast(other, method="wcag21"))


@each_row("sight", SIGHTS)
def test_tints_of_land_stay_apart(sight: str) -> None:
    least = min(
        (seen(one, sight).delta_e(seen(other, sight), method="cam02"), a, b)
        for (a, one), (b, other) in combinations(TINTS.items(), 2)
    )

    assert least[0] >= 11, least


@each_row("variant", drawn_boards())
@each_row("sight", SIGHTS)
def test_tints_stay_apart_on_every_board_that_is_drawn(variant: str, sight: str) -> None:
    powers = load_variant(variant).powers
    tints = [colours.tint for colours in colours_of(powers).values()] + [tokens.LAND]
    spots = [seen(tint, sight).convert("cam02-ucs") for tint in tints]

    assert min(math.dist(a[:-1], b[:-1]) for a, b in combinations(spots, 2)) >= 11


@pytest.mark.parametrize("variant", ["ancient_med", "colonial"])
def test_up_to_seven_powers_stay_apart_in_greyscale_too(variant: str) -> None:
    """Of ten, as on the board of Modern, the letters on their units tell some."""
    colours = colours_of(load_variant(variant).powers).values()

    assert {one.tint for one in colours} <= set(TINTS.values())


def test_tints_of_land_stay_apart_in_greyscale() -> None:
    greys = sorted((lightness(tint), name) for name, tint in TINTS.items())

    for (dark, one), (light, other) in pairwise(greys):
        assert light - dark >= 4, (one, other)


@each_row("name", tokens.POWERS)
def test_the_names_of_provinces_can_be_read_on_every_tint(name: str) -> None:
    assert contrast(tokens.NAME, tokens.POWERS[name].tint) >= 4.5


def test_the_names_of_seas_can_be_read() -> None:
    assert contrast(tokens.SEA_NAME, tokens.SEA) >= 4.5


@each_row("variant", variant_names())
def test_the_letters_on_units_and_the_lines_of_orders_can_be_read(variant: str) -> None:
    for power, colours in colours_of(load_variant(variant).powers).items():
        assert contrast(colours.ink, colours.unit) >= 4.5, power
        assert contrast(colours.line, tokens.SHORE) >= 4.5, power
        assert contrast(tokens.NAME, colours.tint) >= 4.5, power


@pytest.mark.parametrize("theme", [tokens.LIGHT, tokens.DARK], ids=["light", "dark"])
def test_text_can_be_read_on_paper_and_cards(theme: dict[str, str]) -> None:
    for ink in ("ink", "quiet", "accent", "in", "out", "error", "good", "bad"):
        for ground in ("paper", "card", "soft"):
            assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)


def test_every_power_has_colours_of_its_own() -> None:
    many = [f"Power {number}" for number in range(40)]

    assert len(set(colours_of(many).values())) == 40
    assert len(set(colours_of(many[:14]).values())) == 14
    assert len(set(colours_of(["Austria", "France", "Spain", "Norway"]).values())) == 4
