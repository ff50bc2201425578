"""Units as small pictures, each painted once at four times its size and made smaller."""

from __future__ import annotations

import math
from functools import lru_cache

import aggdraw
from PIL import Image, ImageDraw

from atlas.fonts import font
from atlas.palette import mix
from atlas.raster.ground import Sprite
from atlas.shapes import turn_and_move
from atlas.tokens import OUTLINE, SHORE, UNIT_LETTERS, PowerColours
from atlas.units import LETTERS_AT, OUTLINES, TILT

_FINE = 4
HALF = 28
"""Half the width and height of a badge's picture, in pixels of the sheet."""


@lru_cache(maxsize=1024)
def badge(
    kind: str, letters: str, colours: PowerColours, scale: float, *, tilted: bool = False
) -> Sprite:
    """Return a unit's picture; its corner is counted from the unit's middle."""
    large = round(2 * HALF * scale) * _FINE
    picture = Image.new("RGB", (large, large), SHORE)
    mask = Image.new("L", (large, large))
    dark = OUTLINE if colours.ink == SHORE else colours.line
    factor = _FINE * scale
    angle = math.radians(TILT) if tilted else 0.0
    paint, cover = aggdraw.Draw(picture), aggdraw.Draw(mask)
    halo, opaque = aggdraw.Pen("#ffffff", 5.4 * factor), aggdraw.Brush("#ffffff")
    edge, fill_brush = aggdraw.Pen(dark, 1.5 * factor), aggdraw.Brush(colours.unit)
    for outline in OUTLINES[kind]:
        points = turn_and_move(outline, (0.0, 0.0), angle)
        flat = [(part + HALF) * factor for point in points for part in point]
        cover.polygon(flat, halo, opaque)
        paint.polygon(flat, edge, fill_brush)
    paint.flush()
    cover.flush()
    written = _written(letters, large, LETTERS_AT[kind], factor)
    if tilted:
        written = written.rotate(-TILT, Image.Resampling.BILINEAR)
    picture.paste(Image.new("RGB", picture.size, colours.ink), (0, 0), written)
    small = round(2 * HALF * scale)
    corner = -round(HALF * scale), -round(HALF * scale)
    return Sprite(
        picture.resize((small, small), Image.Resampling.BOX),
        mask.resize((small, small), Image.Resampling.BOX),
        corner,
    )


def faded(colours: PowerColours) -> PowerColours:
    """Return the colours for a unit that is not there yet, or no longer."""
    fill, line = mix(colours.unit, SHORE, 0.6), mix(colours.line, SHORE, 0.4)
    return PowerColours(colours.tint, fill, mix(colours.line, OUTLINE, 0.3), line)


def _written(letters: str, size: int, below: float, factor: float) -> Image.Image:
    """The letters as a mask of this size, so far `below` the middle; a pixel of the sheet is
    `factor` pixels of the mask."""
    text = Image.new("L", (size, size))
    middle = HALF * factor
    ImageDraw.Draw(text).text(
        (middle, middle + below * factor),
        letters,
        fill=255,
        font=font("bold", UNIT_LETTERS * factor),
        anchor="ms",
    )
    return text
