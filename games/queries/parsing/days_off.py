"""Days off as people write them: Sat Sun, 24 Dec - 6 Jan, 12-25, as `read_days_off` reads them."""

from __future__ import annotations

import datetime as dt
import re

from games.errors import BadInput
from games.queries.parsing.calendar_words import WEEKDAYS, plain
from games.queries.parsing.dates import read_days
from games.timing.clock import DAYS, read_days_off

_BETWEEN_PARTS = re.compile(r"[;\n]|,(?!\s*\d{4}\s*(?:[,;\n]|$))")
"""No part begins with a year alone: such a year belongs to the day before its comma, as in Dec 24,
2026."""
_AND = re.compile(r"\s+(?:and|und)\s+|\s*&\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_EACH = re.compile(r"(?:every|each)\s+", re.IGNORECASE)
_ISO = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_RANGE = re.compile(r"[\d-]+\.\.[\d-]*")


def days_off_written(text: str, today: dt.date) -> str:
    """Return the days as a game keeps them: weekdays, dates and ranges of dates.

    Weekdays come back every week, 12-25 every year; other days are read as ABSENCE reads them.
    Raises BadInput for anything that is not a day, or may be one of two.
    """
    found = _unless_wrong(text)
    if found is None:
        parts = [part.strip() for part in _BETWEEN_PARTS.split(text)]
        found = ", ".join(_part(part, today) for part in parts if part)
    read_days_off(found)
    return found


def days_off_typed(text: str) -> str:
    """Return the days that a game keeps as people write them, to be read again: "24 Dec 2026 - 6
    Jan 2027". Any other text stays the same."""
    if _unless_wrong(text) is None:
        return text
    typed = _ISO.sub(lambda day: f"{dt.date.fromisoformat(day[0]):%-d %b %Y}", text)
    return typed.replace("..", " - ")


def _unless_wrong(text: str) -> str | None:
    """The text, if it is in the form a game keeps."""
    try:
        read_days_off(text)
    except BadInput:
        return None
    return text


def _part(part: str, today: dt.date) -> str:
    if (kept := _weekly(part) or _unless_wrong(part)) is not None or _RANGE.fullmatch(part):
        return kept or part
    if not part.lower().startswith("between") and len(several := _AND.split(part)) > 1:
        return ", ".join(_part(one, today) for one in several)
    if not any(letter.isdigit() for letter in part):
        raise BadInput(_unclear(part))
    first, last = read_days(part, today)
    return f"{first}" if first == last else f"{first}..{last}"


def _weekly(part: str) -> str | None:
    """Days of the week in any language that we read, cut short; None if there is anything else."""
    short = _WORD.sub(lambda found: _day_of_week(found[0]), _EACH.sub("", plain(part)))
    words = set(_WORD.findall(short))
    if not words or words - {*DAYS, "and"} or re.search(r"\d", short):
        return None
    read_days_off(short)
    return short


def _day_of_week(word: str) -> str:
    number = WEEKDAYS.get(word, WEEKDAYS.get(word.removesuffix("s")))
    if number is None:
        return "and" if word == "und" else word
    return DAYS[number]


def _unclear(part: str) -> str:
    """Why we do not take words without a number for a day: either every week has one, or it is a
    single day."""
    named = [WEEKDAYS[word] for word in _WORD.findall(plain(part)) if word in WEEKDAYS]
    if named:
        day = DAYS[named[0]]
        return f"“{part}” may be one day or every week. Write {day} for every week, or a date."
    return f"“{part}” is not a day. Write for example: Sat Sun, 24 Dec - 6 Jan, 12-25."
