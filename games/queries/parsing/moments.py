"""Moments as people write them: TO 2026-12-24 20:00 because …, UNTIL Jan 7, TO Friday 21:00."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from games.queries.parsing.dates import read_day
from games.timing.clock import Clock
from games.timing.moments import MOMENT, read_moment

_MOMENT_FIRST = re.compile(rf"(?:to|until|till)\s+({MOMENT})[\s:,-]*", re.IGNORECASE)

_WITH_TIME = re.compile(r"(.+?)[\s,]+(?:at\s+)?(\d{1,2}:\d{2})", re.IGNORECASE)


def moment_of(
    text: str, zone: ZoneInfo, *, clock: Clock | None, like: dt.datetime, now: dt.datetime
) -> dt.datetime:
    """Read a day, or a day and a time, as `read_moment` does, and as people write days.

    "Friday" and days without a year are the next ones from `now`. Raises BadInput.
    """
    written = text.strip()
    if not re.match(MOMENT, written):
        found = _WITH_TIME.fullmatch(written)
        day = read_day(found[1] if found else written, now.astimezone(zone).date())
        written = f"{day} {found[2]}" if found else f"{day}"
    return read_moment(written, zone, clock=clock, like=like)


def moment_and_rest(text: str) -> tuple[str, str]:
    """Return the moment after TO or UNTIL with which the text begins, as written, and what follows
    it; "" and the whole text if it begins otherwise."""
    found = _MOMENT_FIRST.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)
