"""Moments as people type or pick them, in a game's own time zone: 2026-12-24 20:00, 2026-12-24."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from games.errors import BadInput
from games.timing.clock import Clock, wall_moment
from games.timing.durations import LONGEST

MOMENT = r"\d{4}-\d{1,2}-\d{1,2}(?:[T ,]+(?:at\s+)?\d{1,2}[:.]\d{2})?"
"""The pattern of a moment, for those who find one in a line."""

_PARTS = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ,]+(?:at\s+)?(\d{1,2})[:.](\d{2}))?", re.IGNORECASE
)


def read_moment(
    text: str, zone: ZoneInfo, *, clock: Clock | None, like: dt.datetime
) -> dt.datetime:
    """Read "2026-12-24 20:00" on the clocks of the zone.

    A day alone means the clock's time on that day; without a clock, or on a day it does not name,
    the time of day of `like`. Raises BadInput, also for a day that is years away from `like`.
    """
    found = _PARTS.fullmatch(text.strip())
    if found is None:
        raise BadInput(f"“{text}” is not a date: write it like 2026-12-24 20:00 or 2026-12-24.")
    try:
        day = dt.date(*map(int, found.group(1, 2, 3)))
        time = dt.time(int(found[4]), int(found[5])) if found[4] else _time(day, zone, clock, like)
    except ValueError:
        raise BadInput(f"“{text}” is not a day and time that exists.") from None
    if abs(day - like.date()) > LONGEST:
        raise BadInput(f"“{text}” is farther away than any game lasts.")
    return wall_moment(day, time, zone)


def _time(day: dt.date, zone: ZoneInfo, clock: Clock | None, like: dt.datetime) -> dt.time:
    of_day = [time for number, time in clock.slots if number == day.weekday()] if clock else []
    return of_day[-1] if of_day else like.astimezone(zone).time()
