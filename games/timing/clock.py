"""Wall-clock deadlines: which moments a game's clock knows, in its own time zone.

A clock is written as the days and times of its deadlines, "Tue Fri 20:00" or "Mon-Fri 12:00, Sun
20:00"; days without deadlines as weekdays, dates and ranges, "Sat Sun, 2026-12-24..2027-01-02,
12-25" (month and day alone come back every year).

When the clocks change, a time that happens twice means its second time, and a time that is skipped
is as much later as the clock was put forward: nobody is cut short.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from games.errors import BadInput

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FARTHEST = 400
"""How many days are searched for a deadline before weekdays, and days off that come back every
year, are found to allow none. Each range of dates may put it off by as many days again, and by its
own length."""

LONGEST_BREAK = 60
"""Consecutive days off."""

CLOCK_EXAMPLE = "Tue Fri 20:00"
DAYS_EXAMPLE = "Sat Sun, 2026-12-24..2027-01-02, 12-25"

_NUMBER_OF_DAY = {day.lower(): number for number, day in enumerate(DAYS)}
_TIME = re.compile(r"^(\d{1,2})[:.](\d{2})$")
_HALF_DAY = re.compile(
    r"(?<![\d:.])(1[0-2]|0?[1-9])(?:[:.](\d{2}))?\s*([ap])(?:m\b|\.m\.)", re.IGNORECASE
)
_DATE = re.compile(r"^(?:(\d{4})-)?(\d{2})-(\d{2})$")
_EVERY_DAY = {"daily", "every", "everyday", "day"}


@dataclass(frozen=True, slots=True)
class Clock:
    """Deadlines of a week: (weekday, time of day), Monday is 0; sorted."""

    slots: tuple[tuple[int, dt.time], ...]

    def __str__(self) -> str:
        """Write the clock so that it reads back as the same clock."""
        return ", ".join(f"{_days_text(days)} {time:%H:%M}" for time, days in self.times())

    def times(self) -> list[tuple[dt.time, list[int]]]:
        """Return each time of day with the weekdays on which something is due then."""
        times = sorted({time for _, time in self.slots})
        return [(time, [day for day, at in self.slots if at == time]) for time in times]


@dataclass(frozen=True, slots=True)
class DaysOff:
    """Days on which nothing is due: weekdays, and ranges of dates, some of them every year."""

    weekdays: frozenset[int] = frozenset()
    ranges: tuple[tuple[dt.date, dt.date], ...] = ()
    yearly: tuple[tuple[tuple[int, int], tuple[int, int]], ...] = ()

    def includes(self, day: dt.date) -> bool:
        """Say whether nothing is due on this day."""
        return (
            day.weekday() in self.weekdays
            or any(first <= day <= last for first, last in self.ranges)
            or any(_in_year(day, first, last) for first, last in self.yearly)
        )


def read_clock(text: str) -> Clock | None:
    """Read "Tue Fri 20:00" or "Tue Fri 8pm"; None for an empty text. Raises BadInput."""
    slots: set[tuple[int, dt.time]] = set()
    days: list[int] = []
    for word in _HALF_DAY.sub(_whole_day, text).replace(",", " ").replace(";", " ").split():
        time = _TIME.match(word)
        if time is None:
            days.extend(_days_of(word, text))
        else:
            slots.update((day, _time_of(time, text)) for day in days or range(7))
            days = []
    if days:
        raise BadInput(f"“{text}” has no time after its last day: write it like Tue Fri 20:00.")
    return Clock(tuple(sorted(slots))) if slots else None


def read_days_off(text: str) -> DaysOff:
    """Read "Sat Sun, 2026-12-24..2027-01-02, 12-25"; empty for an empty text. Raises BadInput."""
    weekdays: set[int] = set()
    ranges: list[tuple[dt.date, dt.date]] = []
    yearly: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for word in text.replace(",", " ").replace(";", " ").split():
        first, _, last = word.partition("..")
        if _DATE.match(first) is None:
            weekdays.update(_days_of(word, text, DAYS_EXAMPLE))
        elif first.count("-") == 2:
            ranges.append(_check_range(_date_of(first, text), _date_of(last or first, text), text))
        else:
            yearly.append((_month_day(first, text), _month_day(last or first, text)))
    if len(weekdays) == 7:
        raise BadInput("There must be a weekday left on which something can be due.")
    return DaysOff(frozenset(weekdays), tuple(ranges), tuple(yearly))


def next_moment(
    clock: Clock | None, days_off: DaysOff, zone: ZoneInfo, earliest: dt.datetime
) -> dt.datetime:
    """Return the first moment at or after `earliest` when something may be due, in UTC.

    Without a clock that is `earliest` itself, or the same time of day on the next day that is not
    off; always a whole second, because mails are dated in whole seconds. Raises BadInput when the
    settings leave no such moment in any year, whatever `earliest` is.
    """
    earliest = whole_second(earliest)
    local = earliest.astimezone(zone)
    if clock is None:
        if not days_off.includes(local.date()):
            return earliest.astimezone(dt.UTC)
        clock = Clock(tuple((day, local.time()) for day in range(7)))
    for moment in _moments(clock, days_off, zone, local.date()):
        if moment >= earliest:
            return moment
    raise BadInput("These settings leave no day on which something can be due.")


def whole_second(moment: dt.datetime) -> dt.datetime:
    """Return the moment, rounded up to a whole second.

    A mail server dates mails by the second. With a deadline in the middle of a second, of two mails
    with the same date one could be in time and the other late.
    """
    cut = moment.replace(microsecond=0)
    return cut if cut == moment else cut + dt.timedelta(seconds=1)


def wall_moment(day: dt.date, time: dt.time, zone: ZoneInfo) -> dt.datetime:
    """Return the moment, in UTC, when clocks in the zone show this; the later one if there are
    two."""
    local = dt.datetime.combine(day, time.replace(fold=0), zone)
    return max(local.astimezone(dt.UTC), local.replace(fold=1).astimezone(dt.UTC))


def _moments(
    clock: Clock, days_off: DaysOff, zone: ZoneInfo, first: dt.date
) -> Iterator[dt.datetime]:
    """Yield the clock's moments from the day before `first` on (a skipped hour may spill over)."""
    for distance in range(-1, (FARTHEST + LONGEST_BREAK) * (1 + len(days_off.ranges))):
        day = first + dt.timedelta(days=distance)
        if not days_off.includes(day):
            times = (time for weekday, time in clock.slots if weekday == day.weekday())
            # Sorted: a time that was skipped may come after one that was not.
            yield from sorted(wall_moment(day, time, zone) for time in times)


def _in_year(day: dt.date, first: tuple[int, int], last: tuple[int, int]) -> bool:
    here = (day.month, day.day)
    return first <= here <= last if first <= last else here >= first or here <= last


def _days_of(word: str, text: str, example: str = CLOCK_EXAMPLE) -> list[int]:
    """Read "Tue", "tuesday", "Mon-Fri", "daily", "weekdays" or "weekends"."""
    plain = word.lower().strip(".")
    if plain in _EVERY_DAY:
        return list(range(7))
    if plain in {"weekdays", "weekday"}:
        return [0, 1, 2, 3, 4]
    if plain in {"weekends", "weekend"}:
        return [5, 6]
    if plain == "and":
        return []
    first, dash, last = plain.replace("–", "-").partition("-")
    numbers = [_NUMBER_OF_DAY.get(name[:3]) for name in ([first, last] if dash else [first])]
    if None in numbers:
        raise BadInput(f"“{word}” in “{text}” is not a day. Write for example: {example}.")
    start, end = numbers[0] or 0, numbers[-1] or 0
    return [(start + step) % 7 for step in range((end - start) % 7 + 1)]


def _days_text(days: list[int]) -> str:
    return "daily" if len(days) == 7 else " ".join(DAYS[day] for day in days)


def _whole_day(match: re.Match[str]) -> str:
    """ "8pm" as 20:00, and "12am" as 0:00."""
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    return f"{hour}:{match[2] or '00'}"


def _time_of(match: re.Match[str], text: str) -> dt.time:
    try:
        return dt.time(int(match[1]), int(match[2]))
    except ValueError as error:
        raise BadInput(f"“{match[0]}” in “{text}” is not a time of day.") from error


def _date_of(word: str, text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(word)
    except ValueError as error:
        raise BadInput(f"“{word}” in “{text}” is not a date: write it like 2026-12-24.") from error


def _month_day(word: str, text: str) -> tuple[int, int]:
    # 2000 was a leap year: 02-29 is a day that comes back, if not every year.
    date = _date_of(f"2000-{word}", text)
    return date.month, date.day


def _check_range(first: dt.date, last: dt.date, text: str) -> tuple[dt.date, dt.date]:
    if last < first:
        raise BadInput(f"In “{text}” a range ends before it begins.")
    if (last - first).days > LONGEST_BREAK:
        raise BadInput(f"In “{text}” a range is longer than {LONGEST_BREAK} days: pause the game.")
    return first, last
