"""The foot of a picture: each power's colour and letters, its name and its centres."""

from __future__ import annotations

from PIL import Image

from atlas.fonts import font, width_of
from atlas.legend import FOOT_LINE, legend_lines
from atlas.raster.badges import badge
from atlas.raster.ground import written
from atlas.scene import Scene
from atlas.tokens import LEGEND_SIZE, NAME

_ROOM = 4


def draw_legend(picture: Image.Image, scene: Scene, scale: float) -> None:
    """Draw the legend on the paper at the foot."""
    stage = scene.stage
    face = font("regular", LEGEND_SIZE * scale)
    line_height = LEGEND_SIZE * scale
    for row, line in enumerate(legend_lines(scene)):
        y = (stage.sheet.height + row * FOOT_LINE + FOOT_LINE / 2 + 4) * scale
        for x, entry in line:
            colours, letters = stage.colours[entry.power], stage.letters[entry.power]
            sprite = badge("A", letters, colours, False, False, scale)
            corner = round(x * scale) + sprite.corner[0], round(y) + sprite.corner[1]
            picture.paste(sprite.picture, corner, sprite.mask)
            half = width_of(entry.text, "regular", LEGEND_SIZE) * scale / 2
            text = written(entry.text, face, NAME, "", (half + _ROOM, line_height))
            left = round((x + 22) * scale) - _ROOM + text.corner[0]
            top = round(y - line_height * 0.67) + text.corner[1]
            picture.paste(text.picture, (left, top), text.mask)
