"""Words that somebody else chose, as the cells of a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What begins so, a spreadsheet would reckon or run."""


def cell(text: str) -> str:
    """Return the text so that a spreadsheet only shows it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
