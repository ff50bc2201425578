"""The faces of the maps: Source Sans 3 by Adobe, under the SIL Open Font License (OFL.txt).

The Latin subset as npm's @fontsource/source-sans-3 5.3.1 publishes it, in TrueType form.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from PIL import ImageFont

Face = Literal["regular", "bold", "italic"]

_FILES: dict[Face, str] = {
    "regular": "SourceSans3-400-normal.ttf",
    "bold": "SourceSans3-600-normal.ttf",
    "italic": "SourceSans3-600-italic.ttf",
}


def face(name: Face) -> str:
    """Return the path of a face's file."""
    return str(Path(__file__).with_name(_FILES[name]))


@cache
def font(name: Face, size: float) -> ImageFont.FreeTypeFont:
    """Return a face at a size in pixels."""
    return ImageFont.truetype(face(name), size)


@cache
def width_of(text: str, name: Face, size: float) -> float:
    """Return how wide a text is, in pixels."""
    return font(name, 100).getlength(text) * size / 100
