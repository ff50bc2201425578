"""The parts that no phase changes, as SVG: water, shores, outlines, borders and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from atlas.palette import mix
from atlas.scene import Stage
from atlas.sheet import Line, LineKind, Sheet
from atlas.tokens import (
    BORDER,
    COAST,
    FULL_NAME_SIZE,
    HATCH,
    LAND,
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
)
from atlas.vector.text import element, escape_text, outline, steps, title, unread
from atlas.wording import Names, full_lines

TENTHS = "scale(.1)"
"""Outlines are in tenths of a pixel."""
_LINKS: dict[LineKind, tuple[str, float]] = {
    "by land": (BORDER, 22.0),
    "by sea": (SEA_BORDER, 22.0),
    "by both": (COAST, 26.0),
}


def still_svg(stage: Stage) -> str:
    """Return the drawing behind all phases of a variant, for pages that link to it.

    A page lays its own tints and orders between its parts (`painter.svg_on`).
    """
    height = float(stage.sheet.height)
    parts = [
        element("defs", "".join(definitions(stage))),
        "".join(below_land(stage)),
        element("g", "".join(land(stage)), id="provinces", transform=TENTHS, fill=LAND),
        "".join(above_land(stage)),
        element("g", "".join(names_of(stage, "code")), id="names-code"),
        element("defs", element("g", "".join(names_of(stage, "full")), id="names-full")),
    ]
    return opening(stage, height) + "".join(parts) + "</svg>"


def opening(stage: Stage, height: float) -> str:
    """Return the start tag of a picture."""
    width = stage.sheet.width
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {round(height)}"'
        f' width="{width}" height="{round(height)}" role="img" font-family="{MAP_FONT}">'
    )


def definitions(stage: Stage) -> Iterator[str]:
    """Yield what the ground uses more than once."""
    yield hatch()
    if not stage.sheet.is_diagram:
        data = _lines(stage.sheet, "coast")
        yield element("path", d=data, id="coastline", fill="none", stroke_linejoin="round")


def hatch() -> str:
    """Return the pattern of land that nobody enters."""
    return (
        '<pattern id="hatch" width="70" height="70" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><path d="M0 0h70v70H0z" fill="{NEUTRAL}"/>'
        f'<path d="M0 0V70" stroke="{HATCH}" stroke-width="24"/></pattern>'
    )


def below_land(stage: Stage) -> Iterator[str]:
    """Yield the water."""
    sheet = stage.sheet
    paper = PAPER if sheet.is_diagram else SEA
    width, height = float(sheet.width), float(sheet.height)
    yield element("rect", fill=paper, id="water", width=width, height=height)
    if sheet.is_diagram:
        yield unread("".join(_links(sheet)), id="links", transform=TENTHS, fill="none")
    else:
        yield element("g", "".join(_shores()), id="shores", transform=TENTHS)
    yield unread("".join(_seas(stage)), id="seas", transform=TENTHS)


def above_land(stage: Stage) -> Iterator[str]:
    """Yield the lines between areas, and land that is not a province."""
    sheet = stage.sheet
    yield unread("".join(_others(sheet)), id="neutral", transform=TENTHS)
    yield unread("".join(_borders(sheet)), id="borders", transform=TENTHS, fill="none")


def land_keys(stage: Stage) -> list[str]:
    """Return the ids of the provinces on land."""
    areas = stage.sheet.areas.items()
    return [key for key, area in areas if area.kind == "land" and key in stage.provinces]


def land(stage: Stage, fills: Mapping[str, str] = {}) -> Iterator[str]:
    """Yield the provinces on land, with their tints if these are known."""
    for key in land_keys(stage):
        yield _province(stage, key, fills.get(key))


def _seas(stage: Stage) -> Iterator[str]:
    for key, area in stage.sheet.areas.items():
        if area.kind == "sea" and key in stage.provinces:
            yield _province(stage, key, SEA if stage.sheet.is_diagram else "none")


def _province(stage: Stage, key: str, fill: str | None) -> str:
    rings = stage.sheet.areas[key].rings
    return element(
        "path",
        title(stage.provinces[key].name),
        d=_outlines(stage.sheet)[key],
        id=f"province-{key}",
        fill=fill,
        fill_rule="evenodd" if len(rings) > 1 else None,
        pointer_events="all" if fill == "none" else None,
    )


@lru_cache(maxsize=16)
def _outlines(sheet: Sheet) -> Mapping[str, str]:
    """Return the path data of every area. To write them again for each picture would take half of
    its time."""
    return {key: outline(area.rings) for key, area in sheet.areas.items()}


@lru_cache(maxsize=64)
def _lines(sheet: Sheet, kind: LineKind) -> str:
    return "".join(steps(line.points) for line in _of(sheet, kind))


def _of(sheet: Sheet, kind: LineKind) -> Iterator[Line]:
    return (line for line in sheet.lines if line.kind == kind)


def _links(sheet: Sheet) -> Iterator[str]:
    for kind, (colour, width) in _LINKS.items():
        yield element("path", d=_lines(sheet, kind), stroke=colour, stroke_width=width)


def _shores() -> Iterator[str]:
    for width, strength in ((130, 0.28), (70, 0.62)):
        yield element(
            "use", href="#coastline", stroke=mix(SEA, SHORE, strength), stroke_width=float(width)
        )


def _others(sheet: Sheet) -> Iterator[str]:
    for key, area in sheet.areas.items():
        if area.kind in ("neutral", "lake"):
            fill = "url(#hatch)" if area.kind == "neutral" else SEA
            yield element(
                "path", d=_outlines(sheet)[key], id=f"area-{key}", fill=fill, fill_rule="evenodd"
            )


def _borders(sheet: Sheet) -> Iterator[str]:
    yield element("path", d=_lines(sheet, "sea"), stroke=SEA_BORDER, stroke_width=13.0)
    yield element("path", d=_lines(sheet, "border"), stroke=BORDER, stroke_width=12.0)
    if sheet.is_diagram:
        yield element("path", d=_lines(sheet, "coast"), stroke=COAST, stroke_width=13.0)
    else:
        yield element("use", href="#coastline", stroke=COAST, stroke_width=13.0)


def names_of(stage: Stage, names: Names) -> Iterator[str]:
    """Yield the names of land and of seas, each kind in a group with its common attributes."""
    for is_sea in (False, True):
        size = (SEA_NAME_SIZE if is_sea else NAME_SIZE) if names == "code" else FULL_NAME_SIZE
        size *= stage.sheet.name_scale if names == "code" else 1.0
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
            stroke=mix(SEA, SHORE, 0.5) if is_sea else SHORE,
            stroke_width=4.5,
            stroke_linejoin="round",
            paint_order="stroke",
        )


def _name(stage: Stage, key: str, names: Names, size: float) -> str:
    lines = [stage.codes[key]] if names == "code" else full_lines(stage.provinces[key])
    x, y = stage.sheet.slots[key].name
    top = y + size * (0.33 - 0.5 * (len(lines) - 1))
    return "".join(
        element("text", escape_text(line), x=x, y=top + row * size)
        for row, line in enumerate(lines)
    )
