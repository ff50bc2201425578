"""Days as people write them, and days that may be two."""

from __future__ import annotations

import contextlib
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import BadInput
from games.queries.parsing import calendar_words
from games.queries.parsing.dates import find_days, read_days

TODAY = dt.date(2026, 11, 22)  # a Sunday
CHRISTMAS = dt.date(2026, 12, 24)


@pytest.mark.parametrize(
    "text",
    [
        *("2026-12-24", "2026/12/24", "24.12.", "24.12", "24. 12. 2026", "24.12.26", "24/12/2026"),
        *("12/24/2026", "24-12-2026", "Dec 24", "Dec. 24", "December 24th, 2026", "24 Dec"),
        *("24th of December", "Thursday, 24 December", "24. Dezember", "24 décembre 2026"),
        *("24 de diciembre de 2026", "24 dicembre", "24 december", "24 grudnia", "24 de dezembro"),
        *("24 декабря", "DEC 24", "in 32 days"),
    ],
)
def test_a_day_in_many_ways(text: str) -> None:
    assert read_days(text, TODAY) == (CHRISTMAS, CHRISTMAS)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", TODAY),
        *((word, TODAY + dt.timedelta(days=1)) for word in ("tomorrow", "morgen", "demain")),
        *((word, TODAY + dt.timedelta(days=1)) for word in ("mañana", "jutro", "i morgon")),
        ("завтра", TODAY + dt.timedelta(days=1)),
        ("the day after tomorrow", TODAY + dt.timedelta(days=2)),
        *((word, dt.date(2026, 11, 27)) for word in ("Friday", "next Friday", "on fri", "Freitag")),
        ("next Sunday", dt.date(2026, 11, 29)),
        ("tonight", TODAY),
        ("in a week", dt.date(2026, 11, 29)),
        ("1 Jan", dt.date(2027, 1, 1)),
        ("Nov 20", dt.date(2026, 11, 20)),
    ],
)
def test_a_day_without_a_year_is_the_next_or_a_recent_one(text: str, day: dt.date) -> None:
    assert read_days(text, TODAY) == (day, day)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3/4", "may be 3 Apr or 4 Mar"),
        ("3-4-2027", "may be"),
        ("Friday, 24 Dec", "is a Thursday"),
        *((text, "Today is Sunday. Write today") for text in ("Sunday", "this Sunday", "Sonntag")),
        ("until Sunday", "or 29 Nov for Sunday next week"),
        ("31 Feb", "There is no day"),
        ("soon", "We cannot read “soon” as days"),
        *((text, "first and the last") for text in ("FROM 24 Dec", "starting 24 Dec", "ab 24.12.")),
        ("24 Dec or so", "We cannot read “24 Dec or so” as days"),
    ],
)
def test_what_may_be_two_days_or_none_is_asked(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_days(text, TODAY)


@pytest.mark.parametrize(
    "text", ["dimanche prochain", "domenica prossima", "próximo domingo", "next Sunday"]
)
def test_next_sunday_is_no_question_on_a_sunday(text: str) -> None:
    assert read_days(text, TODAY)[0] == TODAY + dt.timedelta(days=7)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        *(
            (text, CHRISTMAS, dt.date(2026, 12, 27))
            for text in (
                *("24-27 Dec", "24.-27.12.", "24.12. - 27.12.", "Dec 24-27", "24 to 27 December"),
                *("from 24 Dec to 27 Dec", "vom 24. bis 27. Dezember", "du 24 au 27 décembre"),
                *("2026-12-24 - 2026-12-27", "FROM 2026-12-24 TO 2026-12-27"),
            )
        ),
        ("28 Dec to 3 Jan", dt.date(2026, 12, 28), dt.date(2027, 1, 3)),
        ("next week", dt.date(2026, 11, 23), dt.date(2026, 11, 29)),
        ("until Friday", TODAY, dt.date(2026, 11, 27)),
        ("from Friday to Friday", dt.date(2026, 11, 27), dt.date(2026, 12, 4)),
        ("from Friday for a week", dt.date(2026, 11, 27), dt.date(2026, 12, 3)),
        ("24 Dec for 4 days", CHRISTMAS, dt.date(2026, 12, 27)),
        ("tomorrow", dt.date(2026, 11, 23), dt.date(2026, 11, 23)),
    ],
)
def test_first_and_last_days(text: str, first: dt.date, last: dt.date) -> None:
    assert read_days(text, TODAY) == (first, last)


def test_a_last_day_of_the_same_year_is_not_that_of_the_year_before() -> None:
    first, last = dt.date(2026, 1, 1), dt.date(2026, 12, 30)
    assert read_days("FROM 1 Jan TO 30 Dec", dt.date(2026, 1, 6)) == (first, last)
    assert read_days("5 Jan to 4 Jan", dt.date(2026, 1, 6))[1] == dt.date(2026, 1, 4)


@pytest.mark.parametrize(
    ("today", "day"),
    [
        (dt.date(2028, 1, 10), dt.date(2028, 2, 29)),
        (dt.date(2028, 3, 10), dt.date(2028, 2, 29)),
        (dt.date(2027, 12, 20), dt.date(2028, 2, 29)),
    ],
)
def test_the_leap_day_needs_no_year_when_it_is_near(today: dt.date, day: dt.date) -> None:
    assert read_days("29 Feb", today) == (day, day)


def test_a_leap_day_of_no_near_year_is_asked() -> None:
    with pytest.raises(BadInput, match="There is no day 2026-02-29"):
        read_days("29 Feb", TODAY)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I am away from 24.12. to 27.12., sorry", (CHRISTMAS, dt.date(2026, 12, 27))),
        ("away from the 24th to the 27th of December", (CHRISTMAS, dt.date(2026, 12, 27))),
        ("away between the 24th and the 27th of December", (CHRISTMAS, dt.date(2026, 12, 27))),
        ("away from the 24th of December", None),
        ("away starting 24 Dec", None),
        ("away for a while, back on 24 Dec", None),
        ("away from Advent to 24 Dec", None),
        ("away on Friday and on Monday again", None),
        ("on 3/4 I am away", None),
        ("away from Friday for 2 weeks", (dt.date(2026, 11, 27), dt.date(2026, 12, 10))),
        ("away on Friday", (dt.date(2026, 11, 27), dt.date(2026, 11, 27))),
        ("I am away from Friday on", None),
        ("I am away for a week from Friday", None),
        ("on holiday Friday, two weeks", None),
        ("I may be away, perhaps", None),
        ("my cat is 12 years old", None),
    ],
)
def test_days_in_a_sentence(text: str, found: tuple[dt.date, dt.date] | None) -> None:
    assert find_days(text, TODAY) == found


def test_no_word_means_two_months_or_days() -> None:
    for rows in (calendar_words._MONTHS, calendar_words._WEEKDAYS, calendar_words._DAYS):
        meant: dict[str, set[int]] = {}
        for number, row in enumerate(rows):
            for word in row.split():
                meant.setdefault(calendar_words.plain(word), set()).add(number)
        assert [word for word, numbers in meant.items() if len(numbers) > 1] == []


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    find_days(text, TODAY)
    with contextlib.suppress(BadInput):
        read_days(text, TODAY)


@given(st.dates(dt.date(2026, 9, 30), dt.date(2027, 9, 1)))
def test_a_day_written_out_is_read_back(day: dt.date) -> None:
    for text in (
        f"{day.day} {day:%B}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day}.{day.month}.",
    ):
        assert read_days(text, TODAY) == (day, day)
