"""Places the entries of the legend at the foot of a picture."""

from __future__ import annotations

from atlas.fonts import width_of
from atlas.scene import LegendEntry, Scene
from atlas.tokens import LEGEND_SIZE

FOOT_LINE = 32.0
"""Height of a line of the legend."""
_FIRST = 30.0
_BADGE = 22.0
_GAP = 34.0

Placed = tuple[float, LegendEntry]
"""The middle of an entry's badge, and the entry."""


def legend_lines(scene: Scene) -> list[list[Placed]]:
    """Return the entries line by line, in columns if they do not fit into one."""
    entries, large = scene.legend, scene.stage.sheet.lettering
    if not entries:
        return []
    # In pixels of a sheet with letters of the usual size.
    width = scene.stage.sheet.width / large
    sizes = [_BADGE + width_of(entry.text, "regular", LEGEND_SIZE) + _GAP for entry in entries]
    if _FIRST + sum(sizes) - _GAP / 2 <= width:
        spread = (width - 20 - _FIRST - sum(sizes) + _GAP) / max(1, len(sizes))
        places, x = [], _FIRST
        for entry, size in zip(entries, sizes, strict=True):
            places.append((x * large, entry))
            x += size + min(spread, 24.0)
        return [places]
    column = max(sizes)
    across = max(1, int((width - _FIRST) // column))
    step = (width - 10) / across
    return [
        [
            ((_FIRST + step * place) * large, entry)
            for place, entry in enumerate(entries[start : start + across])
        ]
        for start in range(0, len(entries), across)
    ]


def foot_height(scene: Scene) -> float:
    """Return the height of the legend in pixels of the sheet."""
    lines = len(legend_lines(scene))
    return (lines * FOOT_LINE + 8) * scene.stage.sheet.lettering if lines else 0.0


def line_at(scene: Scene, row: int) -> float:
    """Return where the middle of a line of the legend is, from the top of the sheet."""
    sheet = scene.stage.sheet
    return sheet.height + (row * FOOT_LINE + FOOT_LINE / 2 + 4) * sheet.lettering
