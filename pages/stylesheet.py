"""The design tokens as CSS variables, and in the icon; `python -m pages.stylesheet` writes both for
the pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from atlas import tokens

FILE = Path(__file__).parent / "static" / "pages" / "tokens.css"
ICON = FILE.with_name("icon.svg")
HEAD = "/* Written by `python -m pages.stylesheet` from atlas/tokens.py: change it there. */"


def stylesheet() -> str:
    """Return the tokens as a style sheet, for light and for dark."""
    shared = {
        "sans": tokens.SANS,
        "serif": tokens.SERIF,
        "mono": tokens.MONO,
        "coast": tokens.COAST,
        **{f"type-{size}": f"{size / 16:g}rem" for size in tokens.TYPE_SIZES},
        **{f"space-{size}": f"{size / 16:g}rem" for size in tokens.SPACES},
        **{f"radius-{name}": f"{size}px" for name, size in tokens.RADII.items()},
    }
    dark = _block(tokens.DARK, "  ")
    return "\n".join(
        [
            HEAD,
            _block(tokens.LIGHT | shared),
            f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}",
            "",
        ]
    )


def icon() -> str:
    """Return what a browser shows on a tab: a letter in the colour of links, on light and dark."""
    accent, paper = tokens.LIGHT["accent"], tokens.LIGHT["paper"]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="7" fill="{accent}"/>'
        f'<rect x="4" y="8" width="24" height="17" rx="2" fill="{paper}"/>'
        f'<path d="M5 10l11 9 11-9" fill="none" stroke="{accent}" stroke-width="2.5"/></svg>\n'
    )


def _block(variables: Mapping[str, str], indent: str = "") -> str:
    lines = [f"{indent}  --{name}: {value};" for name, value in variables.items()]
    return "\n".join([f"{indent}:root {{", *lines, f"{indent}}}"])


if __name__ == "__main__":
    FILE.write_text(stylesheet())
    ICON.write_text(icon())
