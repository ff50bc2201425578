"""Words that somebody else chose, made safe for the cells of a spreadsheet."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""If a text begins with one of these, a spreadsheet would calculate or run it. The last four are
the wide forms of the first four, which Japanese spreadsheets treat the same way."""


FIRST = "\ufeff"
"""Comes before everything else in the file: without it Excel takes UTF-8 for the machine's old
charset, and shows Zoë as ZoÃ«."""


def cell(text: str) -> str:
    """Return the text so that a spreadsheet only shows it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
