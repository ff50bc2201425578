"""Design tokens: one table of colours, type sizes and spaces for maps, pages, mails and the admin.

Colours are `#rrggbb`. A map is always a light sheet, so its colours have no dark form; what pages
show around it has both forms. `tests/atlas/test_colours.py` computes that the tints of land stay
apart for normal sight, in three dichromacies and in greyscale, and that text can be read.
"""

from __future__ import annotations

from typing import NamedTuple

# The sheet of a map.
LAND = "#f3ecdc"
SEA = "#dbe8ee"
SHORE = "#ffffff"
COAST = "#57503f"
BORDER = "#857c68"
SEA_BORDER = "#8fb3c4"
NEUTRAL = "#dcd7c9"
HATCH = "#c6c0b0"
NAME = "#10131a"
SEA_NAME = "#35566b"
OUTLINE = "#14110f"
FAILURE = "#c21f1f"
SUCCESS = "#1c6b2a"
BURST = "#fff3c4"
PAPER = "#fbfaf7"
"""Under the legend, and under a diagram."""


class PowerColours(NamedTuple):
    """How a power looks on a map."""

    tint: str
    """Its land."""
    unit: str
    """Its units and its stars."""
    ink: str
    """The letters on its units."""
    line: str
    """Its orders, and the edge of a light unit."""


POWERS = {
    "Austria": PowerColours("#f89479", "#a3291f", "#ffffff", "#a3291f"),
    "England": PowerColours("#b07bc7", "#55247f", "#ffffff", "#55247f"),
    "France": PowerColours("#77c6e0", "#155a94", "#ffffff", "#155a94"),
    "Germany": PowerColours("#999c9c", "#3a3739", "#ffffff", "#3a3739"),
    "Italy": PowerColours("#359646", "#175c24", "#ffffff", "#175c24"),
    "Russia": PowerColours("#bbcbc9", "#ffffff", "#2f3a39", "#5c6664"),
    "Turkey": PowerColours("#f0d749", "#ffd31a", "#3b3000", "#8a6a00"),
}
"""The seven of the standard game, computed so that their tints stay apart."""

FURTHER_POWERS = (
    PowerColours("#b66696", "#a01c66", "#ffffff", "#a01c66"),
    PowerColours("#768676", "#0c6a5f", "#ffffff", "#0c6a5f"),
    PowerColours("#a6f696", "#56680a", "#ffffff", "#56680a"),
    PowerColours("#f5b877", "#a34a00", "#ffffff", "#a34a00"),
    PowerColours("#c8a583", "#67401a", "#ffffff", "#67401a"),
    PowerColours("#a9dff0", "#0d6580", "#ffffff", "#0d6580"),
    PowerColours("#d9b8f0", "#74309c", "#ffffff", "#74309c"),
)
"""For powers of variants with more than seven; the tints of the first three stay apart from the
seven, and from each other, for each kind of colour blindness."""

# What maps, pages and mails share, in light and in dark.
LIGHT = {
    "paper": "#fbfaf7",
    "card": "#ffffff",
    "ink": "#1d2433",
    "quiet": "#5b6474",
    "line": "#dcd8ce",
    "accent": "#1c4f82",
    "in": "#8a4b08",
    "out": "#1c4f82",
    "soft": "#eef2f7",
    "error": "#a11919",
    "good": "#1c6b2a",
    "bad": "#a31818",
}
DARK = {
    "paper": "#151a23",
    "card": "#1d2430",
    "ink": "#e8e6e0",
    "quiet": "#a3acba",
    "line": "#353e4d",
    "accent": "#8fc1f5",
    "in": "#f0b36a",
    "out": "#8fc1f5",
    "soft": "#232c3a",
    "error": "#ff9a8f",
    "good": "#7fd08d",
    "bad": "#ff9a8f",
}

SERIF = '"Iowan Old Style", Palatino, "Palatino Linotype", "URW Palladio L", Georgia, serif'
SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace'
MAP_FONT = "'Source Sans 3', 'Source Sans Pro', Helvetica, Arial, sans-serif"
"""In quotes: a name that ends in a digit is not an identifier in CSS, and its text would vanish."""

TYPE_SIZES = (13, 14, 16, 17, 19, 25, 32)
"""In pixels, on pages and in mails: from small print to headline."""
SPACES = (4, 8, 12, 16, 24, 32)
RADII = {"control": 6, "card": 8}

# On a map, in pixels of a sheet 1000 wide.
NAME_SIZE = 20.0
SEA_NAME_SIZE = 18.0
FULL_NAME_SIZE = 13.5
UNIT_LETTERS = 16.0
TITLE_SIZE = 30.0
SUBTITLE_SIZE = 19.0
SMALLEST_SUBTITLE = 14.0
HEADING_LEFT, HEADING_LINES = 18.0, (38.0, 64.0)
"""Where title and subtitle begin, and their base lines, on a sheet as wide as the standard one."""
HEADING_WIDTH = 320.0
"""As wide as the longest title, since no board has a name there."""
LEGEND_SIZE = 18.0
