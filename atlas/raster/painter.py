"""Paints a scene: the ground, then lines and signs by aggdraw, then units and names as ready
pictures."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import aggdraw
from PIL import Image, ImageFont

from atlas.fonts import Face, font, width_of
from atlas.legend import foot_height
from atlas.raster.badges import badge, faded
from atlas.raster.colours import palette_of
from atlas.raster.ground import Sprite, cached_label, draw_label, ground_of
from atlas.raster.legend import draw_legend
from atlas.scene import Scene, Stage, subtitle_size
from atlas.shapes import Badge, Dash, Disc, Layer, Polygon, Segment, Stroke, Text, Track
from atlas.sheet import Point
from atlas.tokens import HEADING_LEFT, HEADING_LINES, NAME, SEA_NAME, SHORE, TITLE_SIZE

_Drawn = Stroke | Segment | Polygon | Disc
_CORNER = 2.0
"""How far the corner of a line may reach beyond its point, in widths of the line (agg's miter
limit)."""
_CIRCLE = tuple((math.cos(k * math.pi / 32), math.sin(k * math.pi / 32)) for k in range(65))
LARGEST = 150_000
"""The most bytes that a picture in a mail may have: we compress it until it fits."""
_LEVELS = (4, 6, 9)
"""Levels of compression: the second saves 10 kB for 8 ms, the third another 7 kB for 100 ms."""


def png(scene: Scene, width: int) -> bytes:
    """Return a scene as PNG with up to 256 colours."""
    picture = paint(scene, width).quantize(
        palette=palette_of(scene.stage), dither=Image.Dither.NONE
    )
    for level in _LEVELS:
        out = io.BytesIO()
        picture.save(out, "PNG", compress_level=level)
        if out.tell() <= LARGEST:
            break
    return out.getvalue()


def size_of(scene: Scene, width: int) -> tuple[int, int]:
    """Return the width and height of a scene's PNG in pixels."""
    sheet = scene.stage.sheet
    return width, round((sheet.height + foot_height(scene)) * width / sheet.width)


def paint(scene: Scene, width: int) -> Image.Image:
    """Return a scene as a picture in all colours."""
    stage = scene.stage
    scale = width / stage.sheet.width
    ground = ground_of(stage, width, foot_height(scene))
    tints = {key: stage.colours[power].tint for key, power in scene.tints.items()}
    picture = ground.tinted(tints)
    painter = Painter(picture, stage, scale)
    for layers in ([*scene.below, scene.behind], [scene.units], [scene.above]):
        painter.layers(layers)
    for sprite in ground.names:
        picture.paste(sprite.picture, sprite.corner, sprite.mask)
    _heading(picture, scene, scale)
    draw_legend(picture, scene, scale)
    return picture


@lru_cache(maxsize=512)
def _pen(colour: str, width: float, opacity: int = 255) -> aggdraw.Pen:
    return aggdraw.Pen(colour, width, opacity)


@lru_cache(maxsize=512)
def _brush(colour: str, opacity: int = 255) -> aggdraw.Brush:
    return aggdraw.Brush(colour, opacity)


class Painter:
    """Puts shapes on a picture, one after another."""

    draw: aggdraw.Draw
    """On this piece of the picture."""
    corner: tuple[int, int]
    """Where the piece begins."""

    def __init__(self, picture: Image.Image, stage: Stage, scale: float) -> None:
        self.picture = picture
        self.stage = stage
        self.scale = scale

    def layers(self, layers: Iterable[Layer]) -> None:
        """Paint layers: first everything that is drawn, then everything that is pasted."""
        pasted: list[Badge | Text] = []
        for layer in layers:
            for group in layer.groups:
                pasted += [one for one in group.shapes if isinstance(one, Badge | Text)]
                drawn = [one for one in group.shapes if not isinstance(one, Badge | Text)]
                if drawn:
                    self.piece(drawn)
        for piece in pasted:
            self.paste(piece)

    def piece(self, shapes: Sequence[_Drawn]) -> None:
        """Draw shapes on the piece of the picture that they touch.

        aggdraw copies its picture there and back. For a whole picture that took 8 ms, most of it
        spent on getting 9 MB from the system.
        """
        left, top, right, bottom = (part * self.scale for part in _bounds(shapes))
        self.corner = int(left) - 2, int(top) - 2
        piece = self.picture.crop((*self.corner, int(right) + 3, int(bottom) + 3))
        self.draw = aggdraw.Draw(piece)
        for shape in shapes:
            self.shape(shape)
        self.draw.flush()
        self.picture.paste(piece, self.corner)

    def shape(self, shape: _Drawn) -> None:
        """Draw one shape."""
        if isinstance(shape, Stroke):
            self.stroke(shape)
        elif isinstance(shape, Segment):
            ends = self.scaled((shape.start, shape.end))
            self.draw.line(ends, _pen(shape.colour, shape.width * self.scale))
        elif isinstance(shape, Polygon):
            self.draw.polygon(self.scaled(shape.points), *self.tools(shape))
        elif isinstance(shape, Disc):
            self.disc(shape)

    def scaled(self, points: Iterable[Point]) -> list[float]:
        """Return points in the form aggdraw wants, in pixels of the piece."""
        scale, (left, top) = self.scale, self.corner
        return [part for x, y in points for part in (x * scale - left, y * scale - top)]

    def tools(self, shape: Polygon | Disc) -> list[aggdraw.Pen | aggdraw.Brush]:
        """Return the pen and the brush of a shape, if it has them."""
        found: list[aggdraw.Pen | aggdraw.Brush] = []
        if shape.edge:
            found.append(_pen(shape.edge, shape.width * self.scale))
        if shape.fill:
            found.append(_brush(shape.fill))
        return found

    def stroke(self, stroke: Stroke) -> None:
        """Draw a line along a path."""
        points = stroke.path.flat()
        self.line(points, stroke.colour, stroke.width, stroke.dash, round(255 * stroke.opacity))

    def line(
        self, points: Sequence[Point], colour: str, width: float, dash: Dash, opacity: int = 255
    ) -> None:
        """Draw a line through points: whole, dashed, or as round dots."""
        if dash and dash[0] == 0:
            brush, radius = _brush(colour, opacity), width / 2
            for x, y in _dots(points, dash[1]):
                box = self.scaled(((x - radius, y - radius), (x + radius, y + radius)))
                self.draw.ellipse(box, brush)
            return
        pen = _pen(colour, width * self.scale, opacity)
        for part in _dashes(points, dash) if dash else (points,):
            self.draw.line(self.scaled(part), pen)

    def disc(self, disc: Disc) -> None:
        """Draw a circle, perhaps with a broken edge."""
        (x, y), radius = disc.centre, disc.radius
        if disc.dash:
            around = [(x + radius * cos, y + radius * sin) for cos, sin in _CIRCLE]
            self.line(around, disc.edge, disc.width, disc.dash)
            return
        box = self.scaled(((x - radius, y - radius), (x + radius, y + radius)))
        self.draw.ellipse(box, *self.tools(disc))

    def paste(self, piece: Badge | Text) -> None:
        """Put a unit or a text on the picture."""
        x, y = (part * self.scale for part in piece.at)
        if isinstance(piece, Text):
            size = font(piece.face, piece.size * self.scale)
            paste(self.picture, cached_label(piece.text, size, piece.colour, piece.halo, (x, y)))
            return
        colours, letters = self.stage.colours[piece.power], self.stage.letters[piece.power]
        colours = faded(colours) if piece.faded else colours
        sprite = badge(piece.kind, letters, colours, self.scale, tilted=piece.tilted)
        corner = round(x) + sprite.corner[0], round(y) + sprite.corner[1]
        self.picture.paste(sprite.picture, corner, sprite.mask)


def paste(picture: Image.Image, sprite: Sprite) -> None:
    """Put a sprite on a picture."""
    picture.paste(sprite.picture, sprite.corner, sprite.mask)


def _bounds(shapes: Iterable[_Drawn]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the shapes, with the corners of their lines."""
    xs: list[float] = []
    ys: list[float] = []
    for shape in shapes:
        points, room = _extent(shape)
        for x, y in points:
            xs += (x - room, x + room)
            ys += (y - room, y + room)
    return min(xs), min(ys), max(xs), max(ys)


def _extent(shape: _Drawn) -> tuple[Sequence[Point], float]:
    """Return points that enclose a shape, and how far it reaches beyond them."""
    if isinstance(shape, Disc):
        return [shape.centre], shape.radius + shape.width
    if isinstance(shape, Segment):
        return [shape.start, shape.end], shape.width
    if isinstance(shape, Polygon):
        return shape.points, _CORNER * shape.width
    path = shape.path  # a curve stays between its ends and its control
    return path.points if isinstance(path, Track) else path, _CORNER * shape.width


def _dots(points: Sequence[Point], gap: float) -> Iterator[Point]:
    """Yield points along a line, a gap apart."""
    left = gap / 2
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        while left <= length and length:
            share = left / length
            yield x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
            left += gap
        left -= length


def _dashes(points: Sequence[Point], pattern: Dash) -> Iterator[list[Point]]:
    """Yield the parts of a line that a pattern of strokes and gaps leaves."""
    turn, left, part = 0, pattern[0], [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        length, gone = math.hypot(x1 - x0, y1 - y0), 0.0
        while length - gone > left:
            gone += left
            corner = x0 + (x1 - x0) * gone / length, y0 + (y1 - y0) * gone / length
            if turn % 2 == 0:
                yield [*part, corner]
            part = [corner]
            turn += 1
            left = pattern[turn % len(pattern)]
        left -= length - gone
        part.append((x1, y1))
    if turn % 2 == 0 and len(part) > 1:
        yield part


def _heading(picture: Image.Image, scene: Scene, scale: float) -> None:
    """Write title and subtitle at the top left."""
    scale *= scene.stage.sheet.lettering
    title, subtitle = HEADING_LINES
    lines: tuple[tuple[str, Face, float, str, float], ...] = (
        (scene.title, "bold", TITLE_SIZE, NAME, title),
        (scene.subtitle, "regular", subtitle_size(scene.subtitle), SEA_NAME, subtitle),
    )
    for text, name, size, colour, y in lines:
        if text:
            middle = (HEADING_LEFT + width_of(text, name, size) / 2) * scale, y * scale
            paste(picture, _heading_line(text, font(name, size * scale), colour, middle))


@lru_cache(maxsize=16)
def _heading_line(
    text: str, face: ImageFont.FreeTypeFont, colour: str, middle: tuple[float, float]
) -> Sprite:
    """Write one line of the heading. Every game has its own name, which takes 30 kB when painted,
    so we remember only the latest."""
    return draw_label(text, face, colour, SHORE, middle)
