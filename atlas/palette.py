"""The colours of a variant's powers."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Iterator

from atlas.tokens import FURTHER_POWERS, POWERS, PowerColours

_SAME = {"Britain": "England"}
_GOLDEN = 0.618034
_DARK_ENOUGH = 0.17
"""Relative luminance at which white letters have a contrast of a little more than 4.5."""


def colours_of(powers: Iterable[str]) -> dict[str, PowerColours]:
    """Return the colours of each power, always the same for the same list.

    A power of the standard game has its own. Others get the standard colours that no power of the
    game uses, which all stay apart, then the extra ones. Beyond a dozen powers, all colours are
    made up and tints grow alike; then the two letters on a unit tell powers apart.
    """
    names = tuple(powers)
    colours = {
        name: POWERS[_SAME.get(name, name)] for name in names if _SAME.get(name, name) in POWERS
    }
    if len(colours) < len(names) and len(names) > len(POWERS) + len(FURTHER_POWERS):
        return dict(zip(names, _invent_colours(), strict=False))
    spare = _spare(set(colours.values()))
    return {name: colours.get(name) or next(spare) for name in names}


def _spare(taken: set[PowerColours]) -> Iterator[PowerColours]:
    yield from (colours for colours in POWERS.values() if colours not in taken)
    yield from FURTHER_POWERS


def _invent_colours() -> Iterator[PowerColours]:
    """Go round the rainbow in golden steps, at three lightnesses."""
    number = 0
    while True:
        hue = number * _GOLDEN % 1
        light, dark = ((0.80, 0.34), (0.71, 0.27), (0.87, 0.40))[number % 3]
        while _luminance(line := _hex(hue, dark, 0.75)) > _DARK_ENOUGH:
            dark *= 0.95
        yield PowerColours(_hex(hue, light, 0.58), line, "#ffffff", line)
        number += 1


def _hex(hue: float, lightness: float, saturation: float) -> str:
    parts = colorsys.hls_to_rgb(hue, lightness, saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def _luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    linear = [
        part / 12.92 if (part := byte / 255) <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for byte in rgb(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the three parts of `#rrggbb`, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, share: float) -> str:
    """Return a colour between two; `share` is how much of it is `other`, from 0 to 1."""
    pairs = zip(rgb(one), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
