"""A scene as one SVG: a group for each layer, an id for each order and province, nothing twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from atlas.fonts import width_of
from atlas.legend import foot_height, legend_lines, line_at
from atlas.scene import LegendEntry, Scene, Stage, subtitle_size
from atlas.shapes import Badge, Layer, Text
from atlas.sheet import Point
from atlas.tokens import (
    BORDER,
    HEADING_LEFT,
    HEADING_LINES,
    LAND,
    LEGEND_SIZE,
    NAME,
    PAPER,
    SEA_NAME,
    SHORE,
    TITLE_SIZE,
)
from atlas.vector import still
from atlas.vector.shapes import group, shape, symbol, text
from atlas.vector.text import element, escape_text, title, unread
from atlas.wording import Names


def svg(scene: Scene, names: Names = "code") -> str:
    """Return a scene as SVG; `names` says whether provinces are named by letters or in full."""
    stage = scene.stage
    symbols = element("g", "".join(_symbols(scene)), id="symbols")
    land = "".join(still.land(stage, _fills(scene)))
    parts = [
        title(scene.title),
        element("desc", escape_text(scene.description)) if scene.description else "",
        element("defs", symbols + "".join(still.definitions(stage))),
        "".join(still.below_land(stage)),
        unread(land, id="provinces", transform=still.TENTHS),
        "".join(still.above_land(stage)),
        _layers(scene),
        unread("".join(still.names_of(stage, names)), id="names"),
        unread("".join(_heading(scene)), id="heading"),
        unread("".join(_legend(scene)), id="legend"),
    ]
    return still.opening(stage, _height(scene)) + "".join(parts) + "</svg>"


def svg_on(scene: Scene, address: str) -> str:
    """Return a scene as SVG for a page where `address` leads to its variant's `still_svg`.

    It has no heading, since the page has one. A browser fetches only once what never changes.
    """
    part = changes(scene)
    symbols = element("g", part.definitions, id="symbols")
    provinces = "".join(
        element("use", href=f"{address}#province-{key}", id=f"province-{key}", fill=fill)
        for key, fill in part.fills.items()
    )
    parts = [
        title(scene.title),
        element("desc", escape_text(scene.description)) if scene.description else "",
        element("defs", symbols + still.hatch()),
        "".join(_uses(address, "water", "links" if _is_diagram(scene) else "shores", "seas")),
        unread(provinces, id="provinces", transform=still.TENTHS),
        "".join(_uses(address, "neutral", "borders")),
        element("g", part.layers, id="layers"),
        "".join(_use_names(scene, address)),
        unread(part.legend, id="legend"),
    ]
    return still.opening(scene.stage, part.height) + "".join(parts) + "</svg>"


@dataclass(frozen=True)
class Changes:
    """What a page replaces in an SVG by `svg_on` to show another phase of the same variant."""

    fills: Mapping[str, str]
    """The colour of each `province-…` on land, by the id of the province."""
    layers: str
    """What stands inside the group `layers`: stars, lines, units."""
    legend: str
    """What stands inside the group `legend`."""
    definitions: str
    """The drawings of the units in use, inside the group `symbols`."""
    height: int
    """How high the picture is; it is as wide as the sheet."""
    title: str
    description: str


def changes(scene: Scene) -> Changes:
    """Return what differs in a scene from other phases: a sixth of the whole SVG."""
    return Changes(
        fills=_fills(scene),
        layers=_layers(scene),
        legend="".join(_legend(scene)),
        definitions="".join(_symbols(scene)),
        height=round(_height(scene)),
        title=scene.title,
        description=scene.description,
    )


def _uses(address: str, *names: str) -> Iterator[str]:
    """Yield parts of the still drawing, each by its address, in a group that the page can hide."""
    for name in names:
        yield element("use", href=f"{address}#{name}", class_=name, aria_hidden="true")


def _use_names(scene: Scene, address: str) -> Iterator[str]:
    """Yield both kinds of names; the page shows one or the other, by its width.

    On a large diagram full names would be too small on any page, so a page shows the letters.
    """
    if scene.stage.sheet.lettering > 1.0:
        yield element("use", href=f"{address}#names-code", class_="names", aria_hidden="true")
    else:
        yield from _uses(address, "names-code", "names-full")


def _is_diagram(scene: Scene) -> bool:
    return scene.stage.sheet.is_diagram


def _height(scene: Scene) -> float:
    return scene.stage.sheet.height + foot_height(scene)


def _fills(scene: Scene) -> dict[str, str]:
    return {key: _fill(scene, key) for key in still.land_keys(scene.stage)}


def _fill(scene: Scene, key: str) -> str:
    power = scene.tints.get(key)
    return LAND if power is None else scene.stage.colours[power].tint


def _layers(scene: Scene) -> str:
    layers = [*scene.below, scene.behind, scene.units, scene.above]
    return "".join(_layer(layer, scene.stage) for layer in layers)


def _layer(layer: Layer, stage: Stage) -> str:
    content = "".join(group(one, layer.name, stage) for one in layer.groups)
    return element("g", content, id=layer.name)


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


def _heading(scene: Scene) -> Iterator[str]:
    large = scene.stage.sheet.lettering
    at: Point = (HEADING_LEFT * large, HEADING_LINES[0] * large)
    yield text(_beside(Text(at, scene.title, TITLE_SIZE * large, NAME, "bold", "start", SHORE)))
    if scene.subtitle:
        at, size = (HEADING_LEFT * large, HEADING_LINES[1] * large), subtitle_size(scene.subtitle)
        below = Text(at, scene.subtitle, size * large, SEA_NAME, "regular", "start", SHORE)
        yield text(_beside(below))


def _legend(scene: Scene) -> Iterator[str]:
    top, large = float(scene.stage.sheet.height), scene.stage.sheet.lettering
    foot = foot_height(scene)
    if not foot:
        return
    width = float(scene.stage.sheet.width)
    yield element("rect", y=top, width=width, height=foot, fill=PAPER)
    yield element("path", d=f"M0 {top:g}h{width:g}", stroke=BORDER)
    for row, line in enumerate(legend_lines(scene)):
        y = line_at(scene, row)
        for x, entry in line:
            yield _badge(entry, (x, y), scene)
            at, size = (x + 22 * large, y + LEGEND_SIZE * 0.33 * large), LEGEND_SIZE * large
            yield text(_beside(Text(at, entry.text, size, NAME, "regular", "start")))


def _beside(one: Text) -> Text:
    """Return a text that something stands beside, as wide as in our letters: a picture that stands
    in a page as an image, or in a file, has others, and they may be wider."""
    return replace(one, width=width_of(one.text, one.face, one.size))


def _badge(entry: LegendEntry, at: Point, scene: Scene) -> str:
    """Return a power's badge in the legend, as large as the letters beside it."""
    large = scene.stage.sheet.lettering
    if large == 1.0:
        return shape(Badge(at, "A", entry.power), scene.stage)
    placed = f"translate({at[0]:.1f} {at[1]:.1f}) scale({large:.2f})"
    return element("g", shape(Badge((0, 0), "A", entry.power), scene.stage), transform=placed)
