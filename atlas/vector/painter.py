"""A scene as one SVG: a group for each layer, an id for each order and province, nothing twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from atlas.legend import FOOT_LINE, foot_height, legend_lines
from atlas.palette import mixed
from atlas.scene import Scene, Stage
from atlas.shapes import Badge, Layer, Text
from atlas.sheet import Line, LineKind, Point, Sheet
from atlas.tokens import (
    BORDER,
    COAST,
    FULL_NAME_SIZE,
    HATCH,
    LAND,
    LEGEND_SIZE,
    MAP_FONT,
    NAME,
    NAME_SIZE,
    NEUTRAL,
    PAPER,
    SEA,
    SEA_BORDER,
    SEA_NAME,
    SEA_NAME_SIZE,
    SHORE,
    SUBTITLE_SIZE,
    TITLE_SIZE,
)
from atlas.vector.shapes import group, shape, symbol, text
from atlas.vector.text import element, outline, steps, title
from atlas.wording import Names, full_lines

_TENTHS = "scale(.1)"
_LINKS: dict[LineKind, tuple[str, float]] = {
    "by land": (BORDER, 22.0),
    "by sea": (SEA_BORDER, 22.0),
    "by both": (COAST, 26.0),
}


def svg(scene: Scene, names: Names = "code") -> str:
    """Return a scene as SVG; `names` says whether provinces are named by letters or in full."""
    sheet = scene.stage.sheet
    height = sheet.height + foot_height(scene)
    layers = [*scene.below, scene.behind, scene.units, scene.above]
    parts = [
        title(scene.title),
        element("desc", _escaped(scene.description)) if scene.description else "",
        element("defs", "".join(_definitions(scene))),
        "".join(_ground(scene)),
        *(_layer(layer, scene.stage) for layer in layers),
        element("g", "".join(_names(scene.stage, names)), id="names"),
        element("g", "".join(_heading(scene)), id="heading"),
        element("g", "".join(_legend(scene)), id="legend"),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width} {round(height)}"'
        f' width="{sheet.width}" height="{round(height)}" role="img" font-family="{MAP_FONT}">'
        + "".join(parts)
        + "</svg>"
    )


@dataclass(frozen=True)
class Changes:
    """What a page has to replace in an SVG on it to show another phase of the same variant."""

    fills: Mapping[str, str]
    """The colour of each `province-…` on land, by the province's id."""
    groups: Mapping[str, str]
    """What stands inside each group that changes, by the group's id."""
    definitions: str
    """The drawings of the units that are used."""
    description: str


def changes(scene: Scene) -> Changes:
    """Return what of a scene differs from other phases: a sixth of the whole SVG."""
    stage = scene.stage
    layers = [*scene.below, scene.behind, scene.units, scene.above]
    groups = {layer.name: _content(layer, stage) for layer in layers}
    return Changes(
        fills={
            key: _fill(scene, key)
            for key, area in stage.sheet.areas.items()
            if area.kind == "land" and key in stage.provinces
        },
        groups=groups | {"heading": "".join(_heading(scene)), "legend": "".join(_legend(scene))},
        definitions="".join(_symbols(scene)),
        description=scene.description,
    )


def _layer(layer: Layer, stage: Stage) -> str:
    return element("g", _content(layer, stage), id=layer.name)


def _content(layer: Layer, stage: Stage) -> str:
    return "".join(group(one, layer.name, stage) for one in layer.groups)


def _fill(scene: Scene, key: str) -> str:
    power = scene.tints.get(key)
    return LAND if power is None else scene.stage.colours[power].tint


def _symbols(scene: Scene) -> Iterator[str]:
    """Yield the drawing of each kind of unit that the scene has."""
    stage = scene.stage
    used = {
        (one.kind, one.power)
        for layer in (*scene.below, scene.behind, scene.units, scene.above)
        for each in layer.groups
        for one in each.shapes
        if isinstance(one, Badge)
    }
    used |= {("A", entry.power) for entry in scene.legend}
    yield from (symbol(kind, power, stage) for kind, power in sorted(used))


def _definitions(scene: Scene) -> Iterator[str]:
    stage = scene.stage
    yield element("g", "".join(_symbols(scene)), id="symbols")
    yield (
        '<pattern id="hatch" width="70" height="70" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><path d="M0 0h70v70H0z" fill="{NEUTRAL}"/>'
        f'<path d="M0 0V70" stroke="{HATCH}" stroke-width="24"/></pattern>'
    )
    if not stage.sheet.is_diagram:
        data = _lines(stage.sheet, "coast")
        yield element("path", d=data, id="coastline", fill="none", stroke_linejoin="round")


def _lines(sheet: Sheet, kind: LineKind) -> str:
    return "".join(steps(line.points) for line in _of(sheet, kind))


def _of(sheet: Sheet, kind: LineKind) -> Iterator[Line]:
    return (line for line in sheet.lines if line.kind == kind)


def _ground(scene: Scene) -> Iterator[str]:
    """Yield water, land in its tints, and the lines between; outlines are in tenths of a pixel."""
    sheet = scene.stage.sheet
    paper = PAPER if sheet.is_diagram else SEA
    width, height = float(sheet.width), float(sheet.height)
    yield element("rect", fill=paper, id="water", width=width, height=height)
    if sheet.is_diagram:
        yield element("g", "".join(_links(sheet)), id="links", transform=_TENTHS, fill="none")
    else:
        yield element("g", "".join(_shores()), id="shores", transform=_TENTHS)
    yield element("g", "".join(_provinces(scene, "sea")), id="seas", transform=_TENTHS)
    yield element("g", "".join(_provinces(scene, "land")), id="provinces", transform=_TENTHS)
    yield element("g", "".join(_others(sheet)), id="neutral", transform=_TENTHS)
    yield element("g", "".join(_borders(sheet)), id="borders", transform=_TENTHS, fill="none")


def _links(sheet: Sheet) -> Iterator[str]:
    for kind, (colour, width) in _LINKS.items():
        yield element("path", d=_lines(sheet, kind), stroke=colour, stroke_width=width)


def _shores() -> Iterator[str]:
    for width, strength in ((130, 0.28), (70, 0.62)):
        yield element(
            "use", href="#coastline", stroke=mixed(SEA, SHORE, strength), stroke_width=float(width)
        )


def _provinces(scene: Scene, kind: str) -> Iterator[str]:
    stage = scene.stage
    for key, area in stage.sheet.areas.items():
        if area.kind != kind or key not in stage.provinces:
            continue
        fill = _fill(scene, key)
        if kind == "sea":
            fill = SEA if stage.sheet.is_diagram else "none"
        yield element(
            "path",
            title(stage.provinces[key].name),
            d=outline(area.rings),
            id=f"province-{key}",
            fill=fill,
            fill_rule="evenodd" if len(area.rings) > 1 else None,
            pointer_events="all" if fill == "none" else None,
        )


def _others(sheet: Sheet) -> Iterator[str]:
    for key, area in sheet.areas.items():
        if area.kind in ("neutral", "lake"):
            fill = "url(#hatch)" if area.kind == "neutral" else SEA
            yield element(
                "path", d=outline(area.rings), id=f"area-{key}", fill=fill, fill_rule="evenodd"
            )


def _borders(sheet: Sheet) -> Iterator[str]:
    yield element("path", d=_lines(sheet, "sea"), stroke=SEA_BORDER, stroke_width=13.0)
    yield element("path", d=_lines(sheet, "border"), stroke=BORDER, stroke_width=12.0)
    if sheet.is_diagram:
        yield element("path", d=_lines(sheet, "coast"), stroke=COAST, stroke_width=13.0)
    else:
        yield element("use", href="#coastline", stroke=COAST, stroke_width=13.0)


def _names(stage: Stage, names: Names) -> Iterator[str]:
    """Yield the names of land and of seas, each kind in a group with what they have in common."""
    for is_sea in (False, True):
        size = (SEA_NAME_SIZE if is_sea else NAME_SIZE) if names == "code" else FULL_NAME_SIZE
        keys = [
            key
            for key in stage.sheet.slots
            if (stage.sheet.areas[key].kind == "sea") == is_sea and stage.is_named(key)
        ]
        yield element(
            "g",
            "".join(_name(stage, key, names, size) for key in keys),
            font_size=size,
            font_weight="600",
            font_style="italic" if is_sea else None,
            fill=SEA_NAME if is_sea else NAME,
            text_anchor="middle",
            stroke=mixed(SEA, SHORE, 0.5) if is_sea else SHORE,
            stroke_width=4.5,
            stroke_linejoin="round",
            paint_order="stroke",
        )


def _name(stage: Stage, key: str, names: Names, size: float) -> str:
    lines = [stage.codes[key]] if names == "code" else full_lines(stage.provinces[key])
    x, y = stage.sheet.slots[key].name
    top = y + size * (0.33 - 0.5 * (len(lines) - 1))
    return "".join(
        element("text", _escaped(line), x=x, y=top + row * size) for row, line in enumerate(lines)
    )


def _heading(scene: Scene) -> Iterator[str]:
    yield text(Text((18, 38), scene.title, TITLE_SIZE, NAME, "bold", "start", SHORE))
    if scene.subtitle:
        at: Point = (18, 64)
        yield text(Text(at, scene.subtitle, SUBTITLE_SIZE, SEA_NAME, "regular", "start", SHORE))


def _legend(scene: Scene) -> Iterator[str]:
    top = float(scene.stage.sheet.height)
    foot = foot_height(scene)
    if not foot:
        return
    width = float(scene.stage.sheet.width)
    yield element("rect", y=top, width=width, height=foot, fill=PAPER)
    yield element("path", d=f"M0 {top:g}h{width:g}", stroke=BORDER)
    for row, line in enumerate(legend_lines(scene)):
        y = top + row * FOOT_LINE + FOOT_LINE / 2 + 4
        for x, entry in line:
            yield shape(Badge((x, y), "A", entry.power), scene.stage)
            label = Text((x + 22, y + LEGEND_SIZE * 0.33), entry.text, LEGEND_SIZE, NAME)
            yield text(Text(label.at, label.text, label.size, label.colour, "regular", "start"))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
