"""How sentences write names and times."""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from zoneinfo import ZoneInfo

from games.timing.clock import Clock, read_days_off
from games.timing.durations import duration_text, rounded_down

NOTHING = "–"


def listed(items: Sequence[str], last: str = "and") -> str:
    """Write "Italy", "Italy and Turkey", "France, Italy and Turkey", or nothing."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def counted(number: int, thing: str, things: str = "") -> str:
    """Write "1 day", "2 days"; `things` is the plural when it is not made with an s."""
    return f"{number} {thing}" if number == 1 else f"{number} {things or f'{thing}s'}"


def time_left(until: dt.datetime, now: dt.datetime) -> str:
    """Write "2 days and 3 hours", rounded down to what matters to a reader; "no time" once it is
    over, and "a moment" of the last second."""
    if dt.timedelta(0) < until - now < dt.timedelta(seconds=1):
        return "a moment"
    return duration_text(rounded_down(max(until - now, dt.timedelta(0))))


def how_often(times: int) -> str:
    """Write "once", "2 times"."""
    return "once" if times == 1 else f"{times} times"


MANY = 7
"""Of more names than this only the first three are written."""


def some_of(names: Sequence[str]) -> str:
    """Write all of some names; of more than seven the first three and how many more there are."""
    if len(names) > MANY:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return ", ".join(names)


WEEKDAYS = (
    "Mondays",
    "Tuesdays",
    "Wednesdays",
    "Thursdays",
    "Fridays",
    "Saturdays",
    "Sundays",
)


MONTHS = tuple(f"{dt.date(2000, month, 1):%b}" for month in range(1, 13))


def clock_text(clock: Clock) -> str:
    """Say when a clock's deadlines are: "on Tuesdays and Fridays at 20:00"."""
    return listed([f"{_on_days(days)} at {time:%H:%M}" for time, days in clock.times()])


def days_off_text(text: str) -> str:
    """Say which days are free: "on Sundays and from 20 Dec 2026 to 6 Jan 2027".

    Empty for an empty text.
    """
    off = read_days_off(text)
    said = [_on_days(sorted(off.weekdays))] if off.weekdays else []
    for year_first, year_last in off.yearly:
        first, last = (f"{day} {MONTHS[month - 1]}" for month, day in (year_first, year_last))
        said.append(f"{_from_to(first, last)} each year")
    for begin, end in off.ranges:
        said.append(_from_to(f"{begin:%-d %b %Y}", f"{end:%-d %b %Y}"))
    return listed(said)


def day_text(day: dt.date) -> str:
    """Write a day as people do, and as commands read it: "24 Dec 2026"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def span(first: dt.date, last: dt.date) -> str:
    """Write "from Thu 24 Dec 2026 to Sun 27 Dec 2026", or "on Thu 24 Dec 2026"."""
    if first == last:
        return f"on {first:%a} {day_text(first)}"
    return f"from {first:%a} {day_text(first)} to {last:%a} {day_text(last)}"


def _from_to(first: str, last: str) -> str:
    return f"on {first}" if first == last else f"from {first} to {last}"


def _on_days(days: list[int]) -> str:
    if len(days) == len(WEEKDAYS):
        return "every day"
    if len(days) > 2 and days == list(range(days[0], days[-1] + 1)):
        return f"on {WEEKDAYS[days[0]]} to {WEEKDAYS[days[-1]]}"
    return f"on {listed([WEEKDAYS[day] for day in days])}"


def draw_among(powers: Sequence[str]) -> str:
    """Write "a draw between Italy and Turkey", "a draw among France, Italy and Turkey"."""
    return f"a draw {'between' if len(powers) == 2 else 'among'} {listed(powers)}"


def opening(who: str) -> str:
    """The words for somebody at the head of a sentence: `The GM`; a name keeps its letters."""
    is_name = who.partition(" ")[0] not in ("the", "a", "an", "one", "somebody")
    return who if is_name else f"{who[0].upper()}{who[1:]}"


def utc_moment(at: dt.datetime | None) -> str:
    """Write a time in UTC for who runs games: "Tue 3 Mar 2026, 20:00"; a dash for none."""
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M}" if at else NOTHING


LONGEST_WORD = 60
"""Characters of a word that are compared with others."""
_ALIKE = 0.7  # of 1: one slip in a word of four letters is 0.75


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the only one of the names that is much like the word, in whatever case."""
    by_key = {name.lower(): name for name in names}
    near = difflib.get_close_matches(word.lower()[:LONGEST_WORD], by_key, n=2, cutoff=_ALIKE)
    return by_key[near[0]] if len(near) == 1 else None


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Write " Did you mean France?", to follow a refusal; nothing if no name is alike."""
    near = nearest(word, names)
    return f" Did you mean {near}?" if near else ""


@lru_cache(maxsize=256)  # the mails of a phase tell many the same
def local_moment(at: dt.datetime, timezone: str = "UTC") -> str:
    """A time for a reader: `Tue 24 Nov 2026, 20:00 CET (19:00 UTC)`, `19:00 GMT`."""
    utc = at.astimezone(dt.UTC)
    if timezone == "UTC":
        return f"{utc:%a} {utc.day} {utc:%b %Y, %H:%M} UTC"
    local = at.astimezone(ZoneInfo(timezone))
    other = f"{utc:%H:%M} UTC" if utc.date() == local.date() else f"{utc:%a %H:%M} UTC"
    zone = local.tzname() or ""
    shown = zone if zone.isalpha() else timezone
    in_utc = f" ({other})" if local.utcoffset() else ""
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M} {shown}{in_utc}"
