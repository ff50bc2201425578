"""Patterns for what people write, put together from rows of words.

In every row a blank stands for any run of blanks. To add a word, add it to its row; to add a way of
saying something, add a row. An alternative is tried only if those before it do not fit.
"""

from __future__ import annotations

import re


def spaced(text: str) -> str:
    """The pattern with each blank matching any run of blanks."""
    return text.replace(" ", r"\s+")


def any_of(*rows: str) -> str:
    """A pattern for one of the rows."""
    return f"(?:{'|'.join(map(spaced, rows))})"


def one_word(words: str) -> str:
    """A pattern for any word of a row, whose words have blanks between them."""
    return any_of(*words.split())


def led_by(words: str) -> str:
    """A pattern for any number of these words before another one."""
    return rf"(?:{one_word(words)}\s+)*"


def followed_by(words: str) -> str:
    """A pattern for any number of these words after another one."""
    return rf"(?:\s+{one_word(words)})*"


def says(*rows: str) -> re.Pattern[str]:
    """A compiled pattern for the rows, in small letters or in capitals."""
    return re.compile("|".join(map(spaced, rows)), re.IGNORECASE)
