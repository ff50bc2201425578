"""The time at which a game is to start: as people write it, and as a game keeps it."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from games.errors import BadInput
from games.queries.parsing.moments import moment_to_come
from games.timing.clock import wall_moment, whole_second

FORM = "%Y-%m-%d %H:%M"
"""How a game keeps it, on the clocks of its own time zone."""
FARTHEST = dt.timedelta(days=366)
A_WEEK = dt.timedelta(days=7)
EXAMPLE = "Saturday 20:00"
_HOURS_AND_MINUTES = re.compile(
    r"(?P<day>.*\S)\s+(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?P<h>h)?\b"
)
_NONE = re.compile(r"\W*(?:off|never|none|no\s+(?:set\s+|fixed\s+)?time)\W*", re.IGNORECASE)


def means_no_start(text: str) -> bool:
    """Say whether a game is to have no time to start, so that it begins when it is full: "OFF"."""
    return not text.strip() or bool(_NONE.fullmatch(text))


def start_written(text: str, zone: str, now: dt.datetime) -> str:
    """Return a time as a game in this zone keeps it; "" for none.

    Raises BadInput for a day without a time, which nobody may guess; for a time that has passed;
    and for one more than a year away.
    """
    if means_no_start(text):
        return ""
    text, clocks = _with_colon(text, now), ZoneInfo(zone)
    found = moment_to_come(text, clocks, clock=None, like=now, now=now)
    if found != moment_to_come(text, clocks, clock=None, like=now + dt.timedelta(hours=1), now=now):
        raise BadInput(f"Please write the time of day, too, for example: {EXAMPLE}")
    if found > now + FARTHEST:
        raise BadInput(f"“{text.strip()}” is more than a year away. Please choose a nearer day.")
    return f"{found.astimezone(clocks):{FORM}}"


def _with_colon(text: str, now: dt.datetime) -> str:
    """Write "Saturday 1900" as "Saturday 19:00". Four digits after a day are its year only if the
    day has a number itself and the year is not over."""
    found = _HOURS_AND_MINUTES.match(text)
    if found is None:
        return text
    year = int(found["hour"] + found["minute"])
    if re.search(r"\d", found["day"]) and not found["h"] and year >= now.year:
        return text
    return f"{found['day']} {found['hour']}:{found['minute']}{text[found.end() :]}"


def start_moment(kept: str, zone: str) -> dt.datetime | None:
    """Return the moment of a time that a game keeps; None for none."""
    if not kept:
        return None
    local = dt.datetime.strptime(kept, FORM)
    return whole_second(wall_moment(local.date(), local.time(), ZoneInfo(zone)))


def week_later(kept: str, zone: str, now: dt.datetime) -> str:
    """Return the same time of day a week later, or as many weeks as it takes to be in the
    future."""
    local = dt.datetime.strptime(kept, FORM)
    while (at := start_moment(f"{local:{FORM}}", zone)) is None or at <= now:
        local += A_WEEK
    return f"{local:{FORM}}"
