"""The design tokens as CSS variables; `python -m pages.stylesheet` writes them for the pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from atlas import tokens

FILE = Path(__file__).parent / "static" / "pages" / "tokens.css"
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
            f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}",
            "",
        ]
    )


def _block(variables: Mapping[str, str], indent: str = "") -> str:
    lines = [f"{indent}  --{name}: {value};" for name, value in variables.items()]
    return "\n".join([f"{indent}:root {{", *lines, f"{indent}}}"])


if __name__ == "__main__":
    FILE.write_text(stylesheet())
