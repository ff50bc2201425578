"""Days as people write them: 2026-12-24, 24.12., Dec 24, tomorrow, next Friday, 24-27 December.

We do not guess if a date may be one day or another (3/4): the error says so. A day without a year
is the nearest such day, preferably ahead.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from contextlib import suppress

from games.errors import BadInput
from games.queries.parsing.calendar_words import DAYS, MONTHS, NEXT_WEEK, TO, UNTIL, WEEKDAYS, plain

LONGEST = 200
"""How many characters we look at."""
PAST_DAYS = dt.timedelta(days=60)
"""How many days ago a day without a year may have been: an absence that has already begun."""
A_WEEK = dt.timedelta(days=7)
HOW = "Write days like 24 Dec or 2026-12-24"
OWN_WEEKDAY = "Today is {0:%A}. Write today if you mean today, or {1} for {0:%A} next week."


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_MONTH, _WEEKDAY, _NEAR = _any_of(MONTHS), _any_of(WEEKDAYS), _any_of(DAYS)
_WEEK, _TO = _any_of(NEXT_WEEK), rf"(?:{_any_of(TO)}|-|–|—)"
_ORDINAL = r"(?:st|nd|rd|th|er|\.|º|ª|e)?"
_OF = r"(?:\s*(?:of|de|di)\b)?"
_YEAR = r"(\d{4})"
_COMING_AFTER = r"prochain|proxim[ao]|prossim[ao]"
_COMING = rf"next|coming|nachsten|kommenden|{_COMING_AFTER}|volgende|przyszly|nasta"
_NEXT = rf"(?:this|on|am|le|el|il|op|w|na|em|pa|в|во|{_COMING})\s+"
# On a Friday "next Friday" is clear; "Friday" and "this Friday" are not.
_CLEARLY_NEXT = re.compile(rf"\b(?:{_COMING})\b")
_MONTH_NAMES = ("", *(f"{dt.date(2000, month, 1):%b}" for month in range(1, 13)))
_Maker = Callable[[re.Match[str], dt.date], dt.date]


def _iso(match: re.Match[str], today: dt.date) -> dt.date:
    return _day(int(match[1]), int(match[2]), int(match[3]))


def _read_dotted(match: re.Match[str], today: dt.date) -> dt.date:
    return _nearest_date(int(match[1]), int(match[2]), match[3], today)


def _read_slashed(match: re.Match[str], today: dt.date) -> dt.date:
    one, other = int(match[1]), int(match[2])
    if one != other and one <= 12 and other <= 12:
        ways = f"{one} {_MONTH_NAMES[other]} or {other} {_MONTH_NAMES[one]}"
        raise BadInput(f"{match[0]} may be {ways}. {HOW}.")
    day, month = (one, other) if other <= 12 else (other, one)
    return _nearest_date(day, month, match[3], today)


def _day_month(match: re.Match[str], today: dt.date) -> dt.date:
    return _nearest_date(int(match[1]), MONTHS[match[2]], match[3], today)


def _month_day(match: re.Match[str], today: dt.date) -> dt.date:
    return _nearest_date(int(match[2]), MONTHS[match[1]], match[3], today)


def _near(match: re.Match[str], today: dt.date) -> dt.date:
    return today + dt.timedelta(days=DAYS[match[1]])


def _in_days(match: re.Match[str], today: dt.date) -> dt.date:
    number = 1 if match[1] in ("a", "an", "one") else int(match[1])
    return today + dt.timedelta(days=number * (7 if match[2].startswith("w") else 1))


def _weekday(match: re.Match[str], today: dt.date) -> dt.date:
    day = _weekday_after(match, today)
    if day == today + A_WEEK and not _CLEARLY_NEXT.search(match[0]):
        raise BadInput(OWN_WEEKDAY.format(day, f"{day.day} {_MONTH_NAMES[day.month]}"))
    return day


def _weekday_after(match: re.Match[str], first: dt.date) -> dt.date:
    """The next such day after one that is known: "Friday to Friday" is eight days."""
    return first + dt.timedelta(days=(WEEKDAYS[match[1]] - first.weekday() - 1) % 7 + 1)


_WAYS: tuple[tuple[str, _Maker], ...] = (
    (r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)", _iso),
    (rf"(\d{{1,2}}){_ORDINAL}{_OF}\s*({_MONTH})\b\.?(?:,?\s*(?:de\s+)?{_YEAR})?", _day_month),
    (rf"({_MONTH})\.?\s+(\d{{1,2}})(?!\d)(?:st|nd|rd|th)?(?:,?\s+{_YEAR}\b)?", _month_day),
    (r"(\d{1,2})\.\s?(\d{1,2})(?:\.\s?(\d{4}|\d{2}(?!\d))|\.|(?![\d.]))", _read_dotted),
    (r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}(?!\d)))?(?!\d)", _read_slashed),
    (r"(\d{1,2})-(\d{1,2})-(\d{4})(?!\d)", _read_slashed),
    (rf"({_NEAR})\b", _near),
    (r"in\s+(\d{1,3}|a|an|one)\s+(days?|weeks?)\b", _in_days),
    (rf"(?:{_NEXT})*({_WEEKDAY})\b(?:\s+(?:{_COMING_AFTER})\b)?", _weekday),
)
_READERS = tuple((re.compile(way), make) for way, make in _WAYS)
_NAMED = re.compile(rf"(?:{_NEXT})?({_WEEKDAY})\b\.?,?\s*(?:the\s+|den\s+)?(?=\d|{_MONTH})")
_THE = r"(?:(?:the|den|dem|zum|le|el|il|o|og)\s+)?"
_STARTING = r"starting(?:\s+(?:from|on))?|beginning(?:\s+(?:from|on))?|as\s+of"
_FROM = re.compile(
    rf"(?:from|between|on|{_STARTING}|vom|von|ab|du|de|del|desde|dal|dall|van|vanaf|od|fran|с|от)"
    rf"\s+{_THE}"
)
_BEGINS = re.compile(rf"(?:from|{_STARTING}|vom|von|ab|desde|dal|dall|vanaf|od|fran|с|от)\s")
_SPEAKS_OF_LENGTH = re.compile(
    r"\b(?:days|weeks?|fortnight|months?|tagen?|wochen?|jours|semaines?|semanas?|dias|giorni"
    r"|settiman[ae]|dagen|weken|tygodni\w*|veckor|недел\w*)\b"
)
_UNTIL = re.compile(rf"\s*{_TO}\s*{_THE}")
_ONLY_UNTIL = re.compile(rf"(?:{_any_of(UNTIL)})\s+{_THE}")
_ENDS = re.compile(
    rf"(?:\b(?:{_any_of(TO)}|back|return(?:ing)?|zuruck|de retour)|\d{_ORDINAL}\s*[-–—])\s*{_THE}$"
)
"""What stands before the last of several days, of which the first could not be read, or before the
one after it: "back on Monday"."""
_SHORT = (
    # "24-27 Dec", "24.-27.12.": the month comes only after the last day.
    rf"(\d{{1,2}}){_ORDINAL}\s*{_TO}\s*{_THE}(?=\d{{1,2}}{_ORDINAL}{_OF}\s*({_MONTH})\b)",
    rf"(\d{{1,2}})\.?\s*{_TO}\s*(?=\d{{1,2}}\.\s?(\d{{1,2}})(?:\.|(?!\d)))",
)
_SHORTS = tuple(map(re.compile, _SHORT))
_MONTH_DAYS = re.compile(
    rf"({_MONTH})\.?\s+(\d{{1,2}}){_ORDINAL}\s*{_TO}\s*(\d{{1,2}})(?![\d/.]){_ORDINAL}"
    rf"(?:,?\s+{_YEAR}\b)?"
)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_LASTS = re.compile(
    rf",?\s*for\s+(?:(?:the|about)\s+)?({_any_of(_NUMBERS)}|[1-9]\d?)\s+(days?|weeks?)\b"
)
_WEEKS = re.compile(rf"(?:{_WEEK})\b")
_BETWEEN = re.compile(
    r"\b(?:between|zwischen(?:\s+dem)?|entre|tra|tussen|miedzy|mellan)(\s.{1,25}?\s)"
    r"(?:and|und(?:\s+dem)?|et|y|e|en|a|och)\s"
)
Days = tuple[dt.date, dt.date]
_ANY_DAY = dt.date(2000, 1, 1)
"""Of a leap year, where it does not matter which day is meant."""


def read_days(text: str, today: dt.date) -> Days:
    """Read one day, or the first and the last of several.

    Raises BadInput for any other text, and for a date that may be one of two days.
    """
    whole = _compared(text.strip(" ."))
    found = _days_at(whole[:LONGEST], 0, today)
    if found is None or whole[found[1] :].strip(" .") or _only_begins(whole, today):
        raise BadInput(
            f"We cannot read “{text}” as days. Write the first and the last, for example: "
            "FROM 24 Dec TO 27 Dec"
        )
    return found[0]


def read_day(text: str, today: dt.date) -> dt.date:
    """Read one day. Raises BadInput for any other text, and for a date that may be one of two
    days."""
    whole = plain(text.strip(" .,"))[:LONGEST]
    found = _day_at(whole, 0, today)
    if found is None or whole[found[1] :].strip(" .,"):
        raise BadInput(f"We cannot read “{text}” as a day. {HOW}.")
    return found[0]


def find_days(text: str, today: dt.date) -> Days | None:
    """Return the only days that a sentence names; None if it names none, several, or unclear
    ones, such as a first day without a last."""
    whole, found, at = _compared(text)[:LONGEST], [], 0
    while at < len(whole):
        if at and (whole[at - 1].isalnum() and whole[at].isalnum()):
            at += 1
            continue
        try:
            days = _days_at(whole, at, today)
        except BadInput:
            return None
        if days:
            found.append(days[0])
            first, last = days[0]
            if first == last and _is_open(whole, at, days[1]):
                return None
        at = max(at + 1, days[1] if days else 0)
    return found[0] if len(found) == 1 else None


def _compared(text: str) -> str:
    """The text as these words are written, with "between 3 and 10 March" as from one to the
    other."""
    return _BETWEEN.sub(r"from\1to ", plain(text))


def _is_open(text: str, at: int, end: int) -> bool:
    """Whether the only day written there is where something begins or ends, not when it is."""
    return bool(
        _BEGINS.match(text, at)
        or _ENDS.search(text[:at])
        or _SPEAKS_OF_LENGTH.search(f"{text[:at]} {text[end:]}")
    )


def _only_begins(text: str, today: dt.date) -> bool:
    """Whether the first of several days stands there without the last: "from 24 Dec"."""
    first = _FROM.match(text) if _BEGINS.match(text) else None
    found = _day_at(text, first.end(), today) if first else None
    return found is not None and not text[found[1] :].strip(" .")


def begins_with_day(text: str) -> bool:
    """Say whether a text begins with one day or several, clear or not: "Friday 20:00"."""
    said = plain(text.strip())[:LONGEST]
    try:
        return bool(_NAMED.match(said)) or _days_at(said, 0, _ANY_DAY) is not None
    except BadInput:
        return True


def _days_at(text: str, at: int, today: dt.date) -> tuple[Days, int] | None:
    """The days written at this place, and where they end."""
    if match := _ONLY_UNTIL.match(text, at):
        last_found = _day_at(text, match.end(), today)
        return ((today, last_found[0]), last_found[1]) if last_found else None
    if match := _FROM.match(text, at):
        at = match.end()
    if match := _WEEKS.match(text, at):
        monday = today + dt.timedelta(days=7 - today.weekday())
        return (monday, monday + dt.timedelta(days=6)), match.end()
    if match := _MONTH_DAYS.match(text, at):
        month, year = MONTHS[match[1]], match[4]
        last = _nearest_date(int(match[3]), month, year, today)
        return (_day(last.year, month, int(match[2])), last), match.end()
    for short in _SHORTS:
        match = short.match(text, at)
        if match and (last_found := _day_at(text, match.end(), today)):
            month = MONTHS.get(match[2]) or int(match[2])
            last, end = last_found
            return (_day(last.year, month, int(match[1])), last), end
    first_found = _day_at(text, at, today)
    if first_found is None:
        return None
    first, end = first_found
    until = _UNTIL.match(text, end)
    last_found = _day_at(text, until.end(), first, is_last=True) if until else None
    if until and last_found:
        return (first, _after(first, last_found[0], text, until.end())), last_found[1]
    if lasts := _LASTS.match(text, end):
        return (first, first + _length(lasts) - dt.timedelta(days=1)), lasts.end()
    return (first, first), end


def _after(first: dt.date, last: dt.date, text: str, at: int) -> dt.date:
    """The last day, in the year of the first if that has it still to come: written in January,
    "1 Jan to 30 Dec" is no day of the year before."""
    if last >= first:
        return last
    ahead = _day_at(text, at, first + PAST_DAYS, is_last=True)
    return ahead[0] if ahead and ahead[0].year == first.year else last


def _length(lasts: re.Match[str]) -> dt.timedelta:
    number = int(_NUMBERS.get(lasts[1], lasts[1]))
    return number * (A_WEEK if lasts[2].startswith("w") else dt.timedelta(days=1))


def _day_at(
    text: str, at: int, today: dt.date, *, is_last: bool = False
) -> tuple[dt.date, int] | None:
    """The day written at this place, and where it ends. A last day counts from the first."""
    named = _NAMED.match(text, at)
    if named:
        at = named.end()
    for pattern, make in _READERS:
        match = pattern.match(text, at)
        if match:
            day = (_weekday_after if is_last and make is _weekday else make)(match, today)
            if named and day.weekday() != WEEKDAYS[named[1]]:
                raise BadInput(f"{day} is a {day:%A}, and you wrote {named[1]}. {HOW}.")
            return day, match.end()
    return None


def _nearest_date(day: int, month: int, year: str | None, today: dt.date) -> dt.date:
    if year:
        return _day(int(year) + (2000 if len(year) == 2 else 0), month, day)
    for near in (today.year - 1, today.year, today.year + 1):
        with suppress(ValueError):
            if (found := dt.date(near, month, day)) >= today - PAST_DAYS:
                return found
    return _day(today.year, month, day)


def _day(year: int, month: int, day: int) -> dt.date:
    try:
        return dt.date(year, month, day)
    except ValueError as error:
        raise BadInput(f"There is no day {year}-{month:02}-{day:02}. {HOW}.") from error
