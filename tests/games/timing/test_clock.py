"""Wall clocks: days off, both clock changes, leap days, zones on both sides of the date line."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import BadInput
from games.timing.clock import Clock, DaysOff, next_moment, read_clock, read_days_off, wall_moment

NO_DAYS_OFF = DaysOff()
DAY = dt.timedelta(days=1)


def at(text: str, zone: str = "UTC") -> dt.datetime:
    """Return the moment at which clocks in the zone show "2026-03-02 12:00"."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def due(clock: str, zone: str, earliest: str, days_off: str = "") -> str:
    """Return the next moment as clocks in the zone show it, with their distance from UTC."""
    moment = next_moment(
        read_clock(clock), read_days_off(days_off), ZoneInfo(zone), at(earliest, zone)
    )
    assert moment.tzinfo is dt.UTC
    return f"{moment.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M %z}"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Tue Fri 20:00", "Tue Fri 20:00"),
        ("tuesday and friday 20:00", "Tue Fri 20:00"),
        ("Tue, Fri 20.00", "Tue Fri 20:00"),
        ("20:00", "daily 20:00"),
        ("daily 8:05", "daily 08:05"),
        ("Mon-Fri 12:00; Sun 20:00", "Mon Tue Wed Thu Fri 12:00, Sun 20:00"),
        ("weekdays 12:00", "Mon Tue Wed Thu Fri 12:00"),
        ("Fri-Mon 9:00", "Mon Fri Sat Sun 09:00"),
        ("Tue 12:00 Tue 20:00", "Tue 12:00, Tue 20:00"),
        ("Tuesday and Friday 8pm", "Tue Fri 20:00"),
        ("Sun 9.30 a.m.; Sat 12 AM", "Sat 00:00, Sun 09:30"),
    ],
)
def test_a_clock_is_read_as_it_was_meant(text: str, written: str) -> None:
    clock = read_clock(text)
    assert str(clock) == written
    assert read_clock(written) == clock


def test_an_empty_text_is_no_clock() -> None:
    assert read_clock("  ") is None


@pytest.mark.parametrize(
    "text", ["Tue", "Tue 25:00", "Someday 20:00", "20:00 Fri", "12:60", "Tue 20pm"]
)
def test_what_is_no_clock_is_refused_with_the_words(text: str) -> None:
    with pytest.raises(BadInput, match=text.replace("(", r"\(")):
        read_clock(text)


slots = st.tuples(st.integers(0, 6), st.times().map(lambda t: t.replace(second=0, microsecond=0)))
clocks = st.lists(slots, min_size=1, max_size=8, unique=True).map(
    lambda some: Clock(tuple(sorted(some)))
)
zones = st.sampled_from(
    [
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "Pacific/Kiritimati",
        "Pacific/Pago_Pago",
        "Pacific/Apia",
        "Asia/Kathmandu",
    ]
).map(ZoneInfo)
moments = st.datetimes(
    dt.datetime(2008, 1, 1), dt.datetime(2035, 12, 31), timezones=st.just(dt.UTC)
)


@given(clocks)
def test_a_clock_written_out_reads_back_as_itself(clock: Clock) -> None:
    assert read_clock(str(clock)) == clock


@pytest.mark.parametrize(
    ("clock", "zone", "earliest", "expected"),
    [
        ("Tue Fri 20:00", "Europe/Berlin", "2026-03-02 12:00", "Tue 2026-03-03 20:00 +0100"),
        ("Tue Fri 20:00", "Europe/Berlin", "2026-03-03 20:00", "Tue 2026-03-03 20:00 +0100"),
        ("Tue Fri 20:00", "Europe/Berlin", "2026-03-03 20:01", "Fri 2026-03-06 20:00 +0100"),
        # The clocks go forward on 29 March and back on 25 October 2026: it stays 20:00.
        ("daily 20:00", "Europe/Berlin", "2026-03-28 20:01", "Sun 2026-03-29 20:00 +0200"),
        ("daily 20:00", "Europe/Berlin", "2026-10-24 20:01", "Sun 2026-10-25 20:00 +0100"),
        # 02:30 is skipped on 29 March, and happens twice on 25 October.
        ("daily 02:30", "Europe/Berlin", "2026-03-28 12:00", "Sun 2026-03-29 03:30 +0200"),
        ("daily 02:30", "Europe/Berlin", "2026-10-24 12:00", "Sun 2026-10-25 02:30 +0100"),
        ("daily 02:30", "America/New_York", "2026-03-07 12:00", "Sun 2026-03-08 03:30 -0400"),
        ("daily 01:30", "America/New_York", "2026-10-31 12:00", "Sun 2026-11-01 01:30 -0500"),
        # Lord Howe moves its clocks by half an hour.
        ("daily 02:15", "Australia/Lord_Howe", "2026-10-03 12:00", "Sun 2026-10-04 02:45 +1100"),
        # A leap day is a day like others; the year after has none.
        ("daily 20:00", "UTC", "2028-02-28 20:01", "Tue 2028-02-29 20:00 +0000"),
        ("daily 20:00", "UTC", "2027-02-28 20:01", "Mon 2027-03-01 20:00 +0000"),
        # Weekdays are those of the game's zone, on either side of the date line.
        ("Sun 20:00", "Pacific/Kiritimati", "2026-03-01 19:00", "Sun 2026-03-01 20:00 +1400"),
        ("Sun 20:00", "Pacific/Pago_Pago", "2026-03-01 19:00", "Sun 2026-03-01 20:00 -1100"),
        # Samoa had no 30 December 2011 at all.
        ("daily 20:00", "Pacific/Apia", "2011-12-29 20:01", "Sat 2011-12-31 20:00 +1400"),
        # The turn of the year.
        ("Fri 12:00", "UTC", "2026-12-26 00:00", "Fri 2027-01-01 12:00 +0000"),
    ],
)
def test_the_next_deadline_is_where_the_clock_on_the_wall_has_it(
    clock: str, zone: str, earliest: str, expected: str
) -> None:
    assert due(clock, zone, earliest) == expected


def test_both_sides_of_the_date_line_have_their_own_sunday() -> None:
    """Kiritimati is 25 hours ahead of Pago Pago: the same Sunday 20:00 is a day apart."""
    clock, earliest = read_clock("Sun 20:00"), at("2026-02-28 00:00")
    east = next_moment(clock, NO_DAYS_OFF, ZoneInfo("Pacific/Kiritimati"), earliest)
    west = next_moment(clock, NO_DAYS_OFF, ZoneInfo("Pacific/Pago_Pago"), earliest)
    assert west - east == dt.timedelta(hours=25)


@pytest.mark.parametrize(
    ("days_off", "earliest", "expected"),
    [
        ("Sat Sun", "2026-03-06 20:01", "Mon 2026-03-09 20:00 +0100"),
        ("2026-12-24..2027-01-02", "2026-12-23 21:00", "Sun 2027-01-03 20:00 +0100"),
        ("12-25", "2026-12-24 21:00", "Sat 2026-12-26 20:00 +0100"),
        ("12-25", "2031-12-24 21:00", "Fri 2031-12-26 20:00 +0100"),
        ("12-24..01-02", "2026-12-23 21:00", "Sun 2027-01-03 20:00 +0100"),
        ("02-29", "2028-02-28 21:00", "Wed 2028-03-01 20:00 +0100"),
        ("Sat, Sun, 2026-03-09", "2026-03-06 20:01", "Tue 2026-03-10 20:00 +0100"),
    ],
)
def test_nothing_is_due_on_a_day_off(days_off: str, earliest: str, expected: str) -> None:
    assert due("daily 20:00", "Europe/Berlin", earliest, days_off) == expected


def test_without_a_clock_a_day_off_puts_off_to_the_same_time_of_the_next_day() -> None:
    assert due("", "Europe/Berlin", "2026-03-07 13:37", "Sat Sun") == "Mon 2026-03-09 13:37 +0100"
    assert due("", "Europe/Berlin", "2026-03-28 13:37", "Sat Sun") == "Mon 2026-03-30 13:37 +0200"
    assert due("", "Europe/Berlin", "2026-03-06 13:37", "Sat Sun") == "Fri 2026-03-06 13:37 +0100"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mon-Sun", "weekday left"),
        ("2026-02-30", "2026-02-30"),
        ("02-30", "02-30"),
        ("2027-01-02..2026-12-24", "ends before it begins"),
        ("2026-12-24..2027-12-24", "pause the game"),
        ("tomorrow", "“tomorrow”"),
    ],
)
def test_days_off_that_make_no_sense_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_days_off(text)


def test_settings_that_leave_no_day_at_all_are_said_so() -> None:
    with pytest.raises(BadInput, match="no day"):
        due("Mon 20:00", "UTC", "2026-03-02 12:00", "Mon")


def chained(first: str, ranges: int) -> str:
    """So many ranges of 60 days, one after the other."""
    days = [dt.date.fromisoformat(first) + 60 * number * DAY for number in range(ranges)]
    return " ".join(f"{day}..{day + 59 * DAY}" for day in days)


def test_a_day_is_found_after_any_number_of_ranges_that_follow_one_another() -> None:
    """A game that has begun would stand still before them."""
    years_off = chained("2026-03-02", 20)
    assert due("daily 20:00", "UTC", "2026-03-02 12:00", years_off).startswith("Thu 2029-06-14")
    but_one_day = "01-01..11-22 11-24..12-31"
    taken = "2026-11-23 2027-11-23 2028-11-23"
    assert due("", "UTC", "2026-03-02 12:00", f"{but_one_day} {taken}").startswith("Fri 2029-11-23")


days_off = st.builds(
    DaysOff,
    weekdays=st.frozensets(st.integers(0, 6), max_size=5),
    ranges=st.lists(
        st.dates(dt.date(2008, 1, 1), dt.date(2035, 12, 31)).map(
            lambda day: (day, day + dt.timedelta(days=9))
        ),
        max_size=3,
    ).map(tuple),
)


@given(st.none() | clocks, days_off, zones, moments)
def test_the_next_moment_is_never_early_and_never_on_a_day_off(
    clock: Clock | None, off: DaysOff, zone: ZoneInfo, earliest: dt.datetime
) -> None:
    try:
        moment = next_moment(clock, off, zone, earliest)
    except BadInput:
        assert clock is not None
        assert {day for day, _ in clock.slots} <= off.weekdays
        return
    assert moment >= earliest
    assert next_moment(clock, off, zone, moment) == moment
    assert moment == earliest or not off.includes(_day_meant(moment, zone))


def _day_meant(moment: dt.datetime, zone: ZoneInfo) -> dt.date:
    """Return the local day of a moment. A skipped hour (or, in Samoa, a skipped day) may have put
    it past midnight: then the day before was meant."""
    local = moment.astimezone(zone)
    before = (moment - dt.timedelta(hours=3)).astimezone(zone)
    jumped = local.utcoffset() != before.utcoffset() and local.hour < 3
    return before.date() if jumped else local.date()


@given(clocks, zones, moments, st.timedeltas(dt.timedelta(0), dt.timedelta(days=30)))
def test_who_starts_later_is_never_due_earlier(
    clock: Clock, zone: ZoneInfo, earliest: dt.datetime, later: dt.timedelta
) -> None:
    first = next_moment(clock, NO_DAYS_OFF, zone, earliest)
    assert next_moment(clock, NO_DAYS_OFF, zone, earliest + later) >= first


@given(st.dates(dt.date(2008, 1, 1), dt.date(2035, 12, 31)), st.times(), zones)
def test_a_time_that_the_wall_shows_is_the_moment_at_which_it_does(
    day: dt.date, time: dt.time, zone: ZoneInfo
) -> None:
    shown = wall_moment(day, time, zone).astimezone(zone).replace(tzinfo=None)
    meant = dt.datetime.combine(day, time)
    assert shown == meant or dt.timedelta(0) < shown - meant <= dt.timedelta(days=1)
