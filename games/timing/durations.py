"""Lengths of time as people write them: 72h, 3d, 1d12h, 90m, 20s, 2 days, 1 week."""

from __future__ import annotations

import datetime as dt
import re

from games.errors import BadInput

LONGEST = dt.timedelta(days=3650)
"""A length beyond it is a slip, and may lead to no date at all when added to one."""

_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
_WORDS = r"(?:weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[wdhms])(?![a-z])"
LENGTH = rf"(?:\d+(?:\.\d+)?\s*{_WORDS}\s*)+"
"""The pattern of a length, with the blanks after it, for those who find one in a line."""

_WHOLE = re.compile(LENGTH, re.IGNORECASE)
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([wdhms])", re.IGNORECASE)


def read_duration(text: str) -> dt.timedelta:
    """Read "72h", "1d 12h" or "2 days". Raises BadInput."""
    if not _WHOLE.fullmatch(text.strip()):
        raise BadInput(f"“{text}” is not a length of time: write it like 72h, 3d, 1d12h or 90m.")
    named = _PART.findall(text)
    parts = {unit.lower(): float(number) for number, unit in named}
    if len(parts) < len(named):
        raise BadInput(f"“{text}” has a unit of time twice: write it like 72h, 3d or 1d12h.")
    try:
        length = dt.timedelta(**{_UNITS[unit]: number for unit, number in parts.items()})
    except OverflowError:
        length = dt.timedelta.max
    if length > LONGEST:
        raise BadInput(f"“{text}” is longer than any game lasts.")
    return length


def rounded_down(length: dt.timedelta) -> dt.timedelta:
    """Round a length down to what a reader cares about: from a day on to whole hours, from a minute
    on to whole minutes, below that to seconds."""
    seconds = int(length.total_seconds())
    unit = 3_600 if seconds >= 86_400 else 60 if seconds >= 60 else 1
    return dt.timedelta(seconds=seconds - seconds % unit)


def short_text(length: dt.timedelta) -> str:
    """Write a length as somebody may type it: "72h", "90m", "20s"."""
    seconds = length.total_seconds()
    for unit, size in (("h", 3_600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds / size:.0f}{unit}"
    return f"{seconds:.15g}s"


def duration_text(length: dt.timedelta) -> str:
    """Write a length as people say it: "3 days", "1 day and 12 hours"."""
    seconds = int(length.total_seconds())
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    counts = {"day": days, "hour": hours, "minute": minutes, "second": seconds}
    *said, last = [f"{n} {unit}{'' if n == 1 else 's'}" for unit, n in counts.items() if n] or [
        "no time"
    ]
    return f"{', '.join(said)} and {last}" if said else last
