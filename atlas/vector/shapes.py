"""Each shape as an element of SVG."""

from __future__ import annotations

from atlas.scene import Stage
from atlas.shapes import (
    Badge,
    Curve,
    Dash,
    Disc,
    Group,
    Path,
    Polygon,
    Segment,
    Shape,
    Stroke,
    Text,
)
from atlas.tokens import OUTLINE, SHORE, UNIT_LETTERS
from atlas.units import LETTERS_AT, OUTLINES, TILT
from atlas.vector.text import element, escape_text, number, polyline, title, unread


def group(group: Group, layer: str, stage: Stage) -> str:
    """Return a group with its title; its id begins with the layer's name."""
    content = title(group.title) + "".join(shape(one, stage) for one in group.shapes)
    return element(
        "g", content, id=f"{layer}-{group.key}" if group.key else None, data_unit=group.unit
    )


def shape(shape: Shape, stage: Stage) -> str:
    """Return one shape."""
    if isinstance(shape, Stroke):
        return _stroke(shape)
    if isinstance(shape, Segment):
        return element(
            "path",
            d=polyline((shape.start, shape.end)),
            stroke=shape.colour,
            stroke_width=shape.width,
        )
    if isinstance(shape, Polygon):
        return element(
            "path",
            d=polyline(shape.points) + "z",
            fill=shape.fill,
            stroke=shape.edge,
            stroke_width=shape.width or None,
        )
    if isinstance(shape, Disc):
        return _disc(shape)
    if isinstance(shape, Text):
        return text(shape)
    return _badge(shape, stage)


def _stroke(stroke: Stroke) -> str:
    return element(
        "path",
        d=_path(stroke.path),
        fill="none",
        stroke=stroke.colour,
        stroke_width=stroke.width,
        stroke_dasharray=_dash(stroke.dash),
        stroke_linecap="round" if stroke.dash[:1] == (0.0,) else None,
        stroke_opacity=str(stroke.opacity) if stroke.opacity < 1 else None,
    )


def _path(path: Path) -> str:
    if isinstance(path, Curve):
        (x0, y0), (x1, y1), (x2, y2) = path
        points = [number(part) for part in (x0, y0, x1, y1, x2, y2)]
        return "M{} {}Q{} {} {} {}".format(*points)
    return polyline(path.points)


def _dash(dash: Dash) -> str | None:
    if not dash:
        return None
    # A stroke of length zero with round ends is a dot; but some programs leave out an empty stroke.
    return " ".join(number(part or 0.1) for part in dash)


def _disc(disc: Disc) -> str:
    return element(
        "circle",
        cx=disc.centre[0],
        cy=disc.centre[1],
        r=disc.radius,
        fill=disc.fill or "none",
        stroke=disc.edge,
        stroke_width=disc.width or None,
        stroke_dasharray=_dash(disc.dash),
        stroke_linecap="round" if disc.dash[:1] == (0.0,) else None,
    )


def text(text: Text) -> str:
    """Return a text, with its halo behind it."""
    from_middle = text.anchor == "middle"
    return (
        "<text"
        + element(
            "x",
            "",
            x=text.at[0],
            y=text.at[1],
            font_size=text.size,
            font_weight=None if text.face == "regular" else "600",
            font_style="italic" if text.face == "italic" else None,
            fill=text.colour,
            text_anchor="middle" if from_middle else None,
            stroke=text.halo,
            stroke_width=4.5 if text.halo else None,
            paint_order="stroke" if text.halo else None,
            stroke_linejoin="round" if text.halo else None,
            textLength=text.width,
            lengthAdjust="spacingAndGlyphs" if text.width else None,
        )[2:-2]
        + f">{escape_text(text.text)}</text>"
    )


def symbol_id(kind: str, power: str, stage: Stage) -> str:
    """Return the id of a unit's drawing."""
    return f"unit-{kind}-{stage.letters[power]}"


def _badge(badge: Badge, stage: Stage) -> str:
    x, y = number(badge.at[0]), number(badge.at[1])
    turn = f" rotate({TILT})" if badge.tilted else ""
    return element(
        "use",
        href=f"#{symbol_id(badge.kind, badge.power, stage)}",
        transform=f"translate({x} {y}){turn}",
        opacity=".5" if badge.faded else None,
    )


def symbol(kind: str, power: str, stage: Stage) -> str:
    """Return a unit's drawing, for use wherever such a unit stands."""
    colours = stage.colours[power]
    dark = OUTLINE if colours.ink == SHORE else colours.line
    data = "".join(f"{polyline(points)}z" for points in OUTLINES[kind])
    halo = element("path", d=data, stroke=SHORE, stroke_width=5.4, stroke_linejoin="round")
    body = element("path", d=data, fill=colours.unit, stroke=dark, stroke_width=1.5)
    letters = Text((0.0, LETTERS_AT[kind]), stage.letters[power], UNIT_LETTERS, colours.ink, "bold")
    return element("g", halo + body + unread(text(letters)), id=symbol_id(kind, power, stage))
