"""Words that somebody else chose, as the cells of a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What begins so, a spreadsheet would reckon or run; the last four are the wide ones of the first,
which Japanese ones take for the same."""


FIRST = "\ufeff"
"""Stands before all else in the file: without it Excel takes UTF-8 for the machine's old charset,
and shows Zoë as ZoÃ«."""


def cell(text: str) -> str:
    """Return the text so that a spreadsheet only shows it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
