"""A length of time at the beginning of a line: "24h because of Easter", "by 2 days",
"a week"."""

from __future__ import annotations

import datetime as dt
import re

from games.errors import BadInput
from games.timing.durations import LENGTH, read_duration

_NUMBERS = {
    **dict.fromkeys(("a", "an", "one"), 1),
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
    "twelve": 12,
}
IN_WORDS = rf"({'|'.join(_NUMBERS)})\s+(?=(?:weeks?|days?|hours?)\b)"
"""A pattern for the number of a length written in words."""
_IN_WORDS = re.compile(rf"(?:(?:by|for)\s+)?{IN_WORDS}", re.IGNORECASE)
_LENGTH_FIRST = re.compile(rf"(?:(?:by|for)\s+|\+\s*)?({LENGTH})[\s:;,-]*", re.IGNORECASE)
_MORE = re.compile(r"[\s-]+(?:(?:more|extra|additional|further)\s+)?", re.IGNORECASE)
_NEEDED = re.compile(
    rf"(?<!\bin )(?<!\blast )(?<!\bhalf )\b(?:{LENGTH}|{IN_WORDS})(?!\w*\s*ago\b)", re.IGNORECASE
)
"""How long somebody needs, rather than when it was, or will be: “due in 2 hours”, “2 days ago”."""


def split_length(text: str) -> tuple[str, str]:
    """Return the length with which a line begins, as written, and the rest: ("24h", "Easter").

    The length is "" if the line does not begin with one.
    """
    if in_words := _IN_WORDS.match(text):
        text = f"{_NUMBERS[in_words[1].lower()]} {text[in_words.end() :]}"
    match = _LENGTH_FIRST.match(text)
    return (match[1].strip(), text[match.end() :]) if match else ("", text)


def length_and_rest(text: str) -> tuple[dt.timedelta | None, str]:
    """Return the length with which a line begins, if it does, and the rest. Raises BadInput."""
    length, rest = split_length(text)
    return (read_duration(length) if length else None), rest


def length_in(text: str) -> dt.timedelta | None:
    """Return the first length that a sentence asks for: “I need 2 more days, please”; None if it
    names no length."""
    text = _MORE.sub(" ", text)
    found = _NEEDED.search(text)
    try:
        return length_and_rest(text[found.start() :])[0] if found else None
    except BadInput:  # “2 days 3 days”
        return None
