"""The foot of a picture: each power's colour and letters, its name and its centres."""

from __future__ import annotations

from PIL import Image

from atlas.fonts import font, width_of
from atlas.legend import legend_lines, line_at
from atlas.raster.badges import badge
from atlas.raster.ground import cached_label
from atlas.scene import Scene
from atlas.tokens import LEGEND_SIZE, NAME

_ROOM = 4


def draw_legend(picture: Image.Image, scene: Scene, scale: float) -> None:
    """Draw the legend on the paper at the foot."""
    stage = scene.stage
    letters_scale = scale * stage.sheet.lettering
    line_height = LEGEND_SIZE * letters_scale
    face = font("regular", line_height)
    for row, line in enumerate(legend_lines(scene)):
        y = line_at(scene, row) * scale
        for x, entry in line:
            colours, letters = stage.colours[entry.power], stage.letters[entry.power]
            sprite = badge("A", letters, colours, letters_scale)
            corner = round(x * scale) + sprite.corner[0], round(y) + sprite.corner[1]
            picture.paste(sprite.picture, corner, sprite.mask)
            half = width_of(entry.text, "regular", LEGEND_SIZE) * letters_scale / 2
            text = cached_label(entry.text, face, NAME, "", (half + _ROOM, line_height))
            left = round(x * scale + 22 * letters_scale) - _ROOM + text.corner[0]
            top = round(y - line_height * 0.67) + text.corner[1]
            picture.paste(text.picture, (left, top), text.mask)
