"""Numbers, attributes and elements of SVG, kept short."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from atlas.sheet import Point, Ring

Value = str | float | None
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float) -> str:
    """Return a number with at most one decimal place and no superfluous character."""
    return f"{value:.1f}".removesuffix(".0")


def element(name: str, content: str = "", **attributes: Value) -> str:
    """Return an element; `stroke_width=2` becomes `stroke-width="2"`, and None and "" are left
    out."""
    text = "".join(
        f" {key.rstrip('_').replace('_', '-')}="
        + quoteattr(value if isinstance(value, str) else number(value))
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    return f"<{name}{text}>{content}</{name}>" if content else f"<{name}{text}/>"


def unread(content: str, **attributes: Value) -> str:
    """Return a group that no screen reader reads out: otherwise the names and letters on a map, two
    hundred words in all, would come before what it tells of units and centres."""
    return element("g", content, aria_hidden="true", **attributes)


def title(text: str) -> str:
    """Return a title, which browsers show and screen readers say."""
    return f"<title>{escape_text(text)}</title>" if text else ""


def outline(rings: Iterable[Ring]) -> str:
    """Return closed outlines as path data in tenths of a pixel, step by step."""
    return "".join(f"{steps(ring)}z" for ring in rings if len(ring) > 2)


def steps(points: Ring) -> str:
    """Return a line as path data in tenths of a pixel, each step counted from the last point."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in points]
    (x, y), *rest = tenths
    parts = [f"M{x} {y}l"]
    for next_x, next_y in rest:
        dx, dy = next_x - x, next_y - y
        if dx or dy:
            first = f"{dx}" if dx < 0 or parts[-1].endswith("l") else f" {dx}"
            parts.append(first + (f"{dy}" if dy < 0 else f" {dy}"))
        x, y = next_x, next_y
    return "".join(parts) if len(parts) > 1 else ""


def polyline(points: Iterable[Point]) -> str:
    """Return a line through points as path data in pixels."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def escape_text(text: str) -> str:
    """Return text as it appears between tags, without characters that XML cannot hold."""
    return _NOT_IN_XML.sub("", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
