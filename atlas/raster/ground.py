"""The ground of a sheet as layers: painted once in a process, and only put together after that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import aggdraw
from PIL import Image, ImageChops, ImageDraw, ImageFont

from atlas.fonts import font
from atlas.palette import mix, rgb
from atlas.scene import Stage
from atlas.sheet import Area, Line, Sheet
from atlas.tokens import (
    BORDER,
    COAST,
    HATCH,
    LAND,
    NAME,
    NEUTRAL,
    PAPER,
    SEA,
    SEA_BORDER,
    SEA_NAME,
    SHORE,
)

_SHORES = ((13.0, 0.28), (7.0, 0.62))
"""Widths and strengths of the light water along a coast."""
_LINES = {"coast": (COAST, 1.3), "border": (BORDER, 1.1)}
_HALO = 0.15
"""How wide the light round a letter is, relative to its height: 3 pixels on a drawing."""
_STRIP = 64
"""How many rows of pixels we ink at a time."""
_BELOW = 24
"""How many colours there are for everything that is not a province's land."""
_LINKS = {"by land": (BORDER, 2.2), "by sea": (SEA_BORDER, 2.2), "by both": (COAST, 2.6)}


@dataclass(frozen=True)
class Sprite:
    """A small picture with its mask, and the place of its corner."""

    picture: Image.Image
    mask: Image.Image
    corner: tuple[int, int]


@dataclass(frozen=True)
class Ground:
    """The layers of one sheet at one width."""

    base: Image.Image
    """Water, shores and neutral land in a few colours, and each land province in one of its own."""
    index: Mapping[str, int]
    """The entry of the palette for each land province."""
    lines: Image.Image
    """How strong the ink of coasts and borders is."""
    names: tuple[Sprite, ...]

    def tinted(self, colours: Mapping[str, str]) -> Image.Image:
        """Return the ground with its land in the colours of the owners."""
        palette = self.base.getpalette() or []
        for key, index in self.index.items():
            palette[3 * index : 3 * index + 3] = rgb(colours.get(key, LAND))
        base = self.base.copy()
        base.putpalette(palette)
        picture = base.convert("RGB")
        # Pasting a picture of a single colour takes 2.5 ms, pasting the colour itself 5.
        ink = Image.new("RGB", (picture.width, _STRIP), COAST)
        for top in range(0, picture.height, _STRIP):
            strength = self.lines.crop((0, top, picture.width, top + _STRIP))
            picture.paste(ink, (0, top), strength)
        return picture


@lru_cache(maxsize=16)
def ground_of(stage: Stage, width: int, foot: float) -> Ground:
    """Return the ground of a stage's sheet at this width, the same object each time.

    `foot` is the height of the legend's paper under the sheet, in pixels of the sheet.
    """
    scale = width / stage.sheet.width
    size = width, round((stage.sheet.height + foot) * scale)
    land = land_of(stage.sheet, size, scale)
    return Ground(land.base, land.index, land.lines, tuple(_names(stage, scale)))


@dataclass(frozen=True)
class _Land:
    """What all variants on a board share: a ground without its names."""

    base: Image.Image
    index: Mapping[str, int]
    lines: Image.Image


@lru_cache(maxsize=16)
def land_of(sheet: Sheet, size: tuple[int, int], scale: float) -> _Land:
    """Return what all variants on a sheet share at this size."""
    land = [key for key, area in sheet.areas.items() if area.kind == "land"]
    below = _below(sheet, size, scale)
    base = below.quantize(_BELOW, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    first = 256 - len(land)
    index = {key: number for number, key in enumerate(land, start=first)}
    _fill(base, ((sheet.areas[key], index[key]) for key in land), scale)
    palette = (base.getpalette() or [])[: 3 * first]
    palette += [0] * (768 - len(palette))
    if sheet.is_diagram:  # the seas' colour would be lost among so many soft lines
        palette[3 * _BELOW : 3 * _BELOW + 3] = rgb(SEA)
        _fill(base, ((a, _BELOW) for a in sheet.areas.values() if a.kind == "sea"), scale)
    base.putpalette(palette)
    return _Land(base, index, _outlines(sheet, size, scale))


def _fill(picture: Image.Image, areas: Iterable[tuple[Area, int]], scale: float) -> None:
    """Fill areas with an index; a hole keeps what was there before."""
    draw = ImageDraw.Draw(picture)
    for area, value in areas:
        rings = [[(x * scale, y * scale) for x, y in ring] for ring in area.rings if len(ring) > 2]
        if len(rings) == 1:
            draw.polygon(rings[0], fill=value)
            continue
        mask = Image.new("1", picture.size)
        for ring in rings:
            one = Image.new("1", picture.size)
            ImageDraw.Draw(one).polygon(ring, fill=1)
            mask = ImageChops.logical_xor(mask, one)
        picture.paste(value, (0, 0), mask)


def _below(sheet: Sheet, size: tuple[int, int], scale: float) -> Image.Image:
    picture = Image.new("RGB", size, PAPER if sheet.is_diagram else SEA)
    draw = aggdraw.Draw(picture)
    for kind, (colour, width) in _LINKS.items():
        _draw_lines(draw, aggdraw.Pen(colour, width * scale), sheet.lines_of(kind), scale)
    if not sheet.is_diagram:
        for width, strength in _SHORES:
            colour = mix(SEA, SHORE, strength)
            _draw_lines(draw, aggdraw.Pen(colour, width * scale), sheet.lines_of("coast"), scale)
        _draw_lines(draw, aggdraw.Pen(SEA_BORDER, 1.3 * scale), sheet.lines_of("sea"), scale)
    draw.flush()
    _neutral(picture, sheet, scale)
    edge = round(sheet.height * scale)
    ImageDraw.Draw(picture).rectangle((0, edge, *size), fill=PAPER)
    ImageDraw.Draw(picture).line((0, edge, size[0], edge), fill=BORDER)
    return picture


def _neutral(picture: Image.Image, sheet: Sheet, scale: float) -> None:
    """Hatch the land that nobody owns or can own."""
    areas = [(area, 255) for area in sheet.areas.values() if area.kind == "neutral"]
    if not areas:
        return
    hatched = Image.new("RGB", picture.size, NEUTRAL)
    draw = aggdraw.Draw(hatched)
    pen = aggdraw.Pen(HATCH, 1.4 * scale)
    width, height = picture.size
    step = max(3, round(7 * scale))
    for start in range(-height, width, step):
        draw.line((start, height, start + height, 0), pen)
    draw.flush()
    mask = Image.new("L", picture.size)
    _fill(mask, areas, scale)
    picture.paste(hatched, (0, 0), mask)


def _outlines(sheet: Sheet, size: tuple[int, int], scale: float) -> Image.Image:
    picture = Image.new("L", size)
    draw = aggdraw.Draw(picture)
    for kind, (_, width) in _LINES.items():
        grey = "#ffffff" if kind == "coast" else "#b4b4b4"
        _draw_lines(draw, aggdraw.Pen(grey, width * scale), sheet.lines_of(kind), scale)
    if sheet.is_diagram:
        _draw_lines(draw, aggdraw.Pen("#9a9a9a", 1.3 * scale), sheet.lines_of("sea"), scale)
    draw.flush()
    ImageDraw.Draw(picture).rectangle((0, round(sheet.height * scale), *size), fill=0)
    return picture


def _draw_lines(draw: aggdraw.Draw, pen: aggdraw.Pen, lines: Iterable[Line], scale: float) -> None:
    for line in lines:
        draw.line([part * scale for point in line.points for part in point], pen)


def _names(stage: Stage, scale: float) -> Iterable[Sprite]:
    for key, slot in stage.sheet.slots.items():
        if not stage.is_named(key):
            continue
        is_sea = stage.sheet.areas[key].kind == "sea"
        size = stage.name_size(key) * scale
        type_face = font("italic" if is_sea else "bold", size)
        colour, halo = (SEA_NAME, mix(SEA, SHORE, 0.5)) if is_sea else (NAME, SHORE)
        x, y = slot.name[0] * scale, (slot.name[1] + stage.name_size(key) * 0.33) * scale
        yield cached_label(stage.codes[key], type_face, colour, halo, (x, y))


@lru_cache(maxsize=2048)
def cached_label(
    text: str,
    type_face: ImageFont.FreeTypeFont,
    colour: str,
    halo: str,
    middle: tuple[float, float],
) -> Sprite:
    """Return a text as `draw_label` does, and remember it: for text that many pictures of a map
    share."""
    return draw_label(text, type_face, colour, halo, middle)


def draw_label(
    text: str,
    type_face: ImageFont.FreeTypeFont,
    colour: str,
    halo: str,
    middle: tuple[float, float],
) -> Sprite:
    """Return a text on its halo as a sprite; `middle` is the middle of its base line."""
    stroke = max(1, round(type_face.size * _HALO))
    room = stroke + 1 if halo else 1
    left, top, right, bottom = type_face.getbbox(text, anchor="ms")
    corner = int(middle[0] + left) - room - 1, int(middle[1] + top) - room - 1
    size = int(right - left) + 2 * room + 3, int(bottom - top) + 2 * room + 3
    at = middle[0] - corner[0], middle[1] - corner[1]
    ink = Image.new("L", size)
    ImageDraw.Draw(ink).text(at, text, fill=255, font=type_face, anchor="ms")
    if not halo:
        return Sprite(Image.new("RGB", size, colour), ink, corner)
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).text(at, text, fill=225, font=type_face, anchor="ms", stroke_width=stroke)
    mask = ImageChops.lighter(mask, ink)
    picture = Image.new("RGB", size, halo)
    picture.paste(Image.new("RGB", size, colour), (0, 0), ink)
    return Sprite(picture, mask, corner)
