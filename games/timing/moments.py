"""Moments as people type or pick them, in a game's own time zone: 2026-12-24 20:00, 2026-12-24."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from games.errors import BadInput
from games.timing.clock import Clock, wall_moment
from games.timing.durations import LONGEST

_CLOCK_TIME = r"\d{1,2}(?:[:.]\d{2}(?:\s*[ap]\.?m\b\.?)?|\s*[ap]\.?m\b\.?)"
MOMENT = rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}(?:[T ,]+(?:at\s+)?{_CLOCK_TIME})?"
"""The pattern of a moment, for those who find one in a line."""

_PARTS = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[T ,]+(?:at\s+)?(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\b\.?)?)?",
    re.IGNORECASE,
)


def read_moment(
    text: str, zone: ZoneInfo, *, clock: Clock | None, like: dt.datetime
) -> dt.datetime:
    """Read "2026-12-24 20:00" or "2026-12-24 8pm" on the clocks of the zone.

    A day alone means the clock's time on that day; without a clock, or on a day it does not name,
    the time of day of `like`. Raises BadInput, also for a day that is years away from `like`.
    """
    found = _PARTS.fullmatch(text.strip())
    if found is None or (found[4] and not (found[5] or found[6])):
        raise BadInput(f"“{text}” is not a date: write it like 2026-12-24 20:00 or 2026-12-24.")
    try:
        day = dt.date(*map(int, found.group(1, 2, 3)))
        time = _time_of_day(*found.group(4, 5, 6)) if found[4] else _time(day, zone, clock, like)
    except ValueError:
        raise BadInput(f"“{text}” is not a day and time that exists.") from None
    if abs(day - like.date()) > LONGEST:
        raise BadInput(f"“{text}” is farther away than any game lasts.")
    return wall_moment(day, time, zone)


def _time_of_day(hour: str, minute: str | None, half: str | None) -> dt.time:
    """The time of day on a clock of 24 hours, or of 12 in one half of the day. Raises ValueError
    for one that does not exist."""
    on_clock = int(hour)
    if half:
        if not 1 <= on_clock <= 12:
            raise ValueError(hour)
        on_clock = on_clock % 12 + (12 if half.lower() == "p" else 0)
    return dt.time(on_clock, int(minute or 0))


def _time(day: dt.date, zone: ZoneInfo, clock: Clock | None, like: dt.datetime) -> dt.time:
    of_day = [time for number, time in clock.slots if number == day.weekday()] if clock else []
    return of_day[-1] if of_day else like.astimezone(zone).time()
