"""A length of time at the beginning of a line: "24h because of Easter", "by 2 days",
"a week"."""

from __future__ import annotations

import datetime as dt
import re

from games.timing.durations import LENGTH, read_duration

_ONE = re.compile(r"((?:by|for)\s+)?(?:an?|one)\s+(?=(?:week|day|hour)\b)", re.IGNORECASE)
_LENGTH_FIRST = re.compile(rf"(?:(?:by|for)\s+|\+\s*)?({LENGTH})[\s:;,-]*", re.IGNORECASE)


def split_length(text: str) -> tuple[str, str]:
    """Return the length with which a line begins, as written, and the rest: ("24h", "Easter").

    The length is "" if the line does not begin with one.
    """
    text = _ONE.sub("1 ", text, count=1) if _ONE.match(text) else text
    match = _LENGTH_FIRST.match(text)
    return (match[1].strip(), text[match.end() :]) if match else ("", text)


def length_and_rest(text: str) -> tuple[dt.timedelta | None, str]:
    """Return the length with which a line begins, if it does, and the rest. Raises BadInput."""
    length, rest = split_length(text)
    return (read_duration(length) if length else None), rest
