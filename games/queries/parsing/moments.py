"""Moments as people write them: TO 2026-12-24 20:00 because …, UNTIL Jan 7, TO Friday 21:00."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from games.errors import BadInput
from games.queries.parsing.dates import LONGEST, read_day
from games.queries.reports.wording import local_moment
from games.timing.clock import Clock
from games.timing.moments import MOMENT, read_moment

_MOMENT_FIRST = re.compile(rf"(?:to|until|till)\s+({MOMENT})[\s:,-]*", re.IGNORECASE)

_TIME = (
    r"(?:at\s+)?(?P<hour>\d{1,2})(?:[:h](?P<minute>\d{2}))?"
    r"\s*(?:(?P<half>[ap]\.?m\.?)|(?P<sharp>h|hrs?|uhr))?"
)
_WITH_TIME = tuple(
    re.compile(way, re.IGNORECASE)
    for way in (rf"(?P<day>.+?)[\s,]+{_TIME}", rf"{_TIME}(?:[\s,]+(?:on\s+)?(?P<day>.+))?")
)
"""A time after its day, before it, or alone."""
_ZONE = re.compile(
    r"(?P<moment>.*\d.*?)\s+\(?(?P<zone>UTC|GMT|[A-Z][SD]T|[A-Z]ES?T|MSK|[A-Z][a-z]+/[A-Z]\w+)\)?"
)
"""A moment, and the zone after it: UTC, PST, CET, CEST, Europe/Berlin."""


def moment_of(
    text: str, zone: ZoneInfo, *, clock: Clock | None, like: dt.datetime, now: dt.datetime
) -> dt.datetime:
    """Read a day, or a day and a time, as `read_moment` does, and as people write days.

    The name of the zone may stand after it, as our mails write it; another zone is refused, since
    nobody may guess the hour. "Friday" and days without a year are the next ones from `now`. Raises
    BadInput, also for a time without a day, which may be meant for today or for the day of the
    deadline.
    """
    written, its_zone = text.strip(" .,"), ""
    if len(written) <= LONGEST and (with_zone := _ZONE.fullmatch(written)):
        written, its_zone = with_zone["moment"], with_zone["zone"]
    if not re.match(MOMENT, written):
        named, time = _day_and_time(written)
        if not named:
            raise BadInput(
                f"Please write the day, too, for example: today {time}, or 24 Dec {time}"
            )
        written = f"{read_day(named, now.astimezone(zone).date())} {time}".strip()
    found = read_moment(written, zone, clock=clock, like=like)
    if its_zone not in ("", str(zone), found.astimezone(zone).tzname()):
        raise BadInput(
            f"Times here are on the clocks of {zone}. Please write it so, without “{its_zone}”."
        )
    return found


def moment_to_come(
    text: str, zone: ZoneInfo, *, clock: Clock | None, like: dt.datetime, now: dt.datetime
) -> dt.datetime:
    """Read the same, and raise BadInput for a moment that has passed, with how it was read."""
    found = moment_of(text, zone, clock=clock, like=like, now=now)
    if found <= now:
        raise BadInput(
            f"“{text.strip()}” is {local_moment(found, str(zone))}, which has passed. Please write "
            "the year, too."
        )
    return found


def _day_and_time(text: str) -> tuple[str, str]:
    """The day in "tomorrow at 9pm" or "21:00 tomorrow", and its time; "" for what is missing."""
    for way in _WITH_TIME if len(text) <= LONGEST else ():
        found = way.fullmatch(text)
        if found and (found["minute"] or found["half"] or found["sharp"]):
            return found["day"] or "", _on_24_hours(found)
    return text, ""


def _on_24_hours(time: re.Match[str]) -> str:
    """`9pm` as 21:00, `21h` as well."""
    hour = int(time["hour"])
    if half := time["half"]:
        if not 1 <= hour <= 12:
            raise BadInput(f"“{time[0].strip()}” is not a time of day.")
        hour = hour % 12 + (12 if half[0].lower() == "p" else 0)
    return f"{hour:02}:{time['minute'] or '00'}"


def moment_and_rest(text: str) -> tuple[str, str]:
    """Return the moment after TO or UNTIL with which the text begins, as written, and what follows
    it; "" and the whole text if it begins otherwise."""
    found = _MOMENT_FIRST.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)
