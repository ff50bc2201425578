"""When phases are due: tables of cases, and what always holds."""

from __future__ import annotations

import dataclasses
import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.errors import BadInput
from games.timing.clock import read_clock, read_days_off
from games.timing.deadlines import (
    Pace,
    Step,
    absence_span,
    after_outage,
    after_pause,
    begun_at,
    due_at,
    is_over,
    moved_to,
    retry_at,
)

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
BERLIN = ZoneInfo("Europe/Berlin")
NOW = dt.datetime(2026, 3, 2, 12, 0, tzinfo=dt.UTC)

PLAIN = Pace(movement=72 * HOUR, retreat=24 * HOUR, adjustment=12 * HOUR)
TWICE_A_WEEK = Pace(
    movement=24 * HOUR,
    retreat=6 * HOUR,
    adjustment=6 * HOUR,
    movement_clock=read_clock("Tue Fri 20:00"),
    retreat_clock=read_clock("daily 20:00"),
    days_off=read_days_off("12-24..12-26"),
    zone=BERLIN,
)


def local(moment: dt.datetime) -> str:
    return f"{moment.astimezone(BERLIN):%a %d %b %H:%M}"


def test_each_kind_of_phase_has_its_own_length() -> None:
    steps: list[Step] = ["M", "R", "A"]
    lengths = [due_at(PLAIN, step, NOW) - NOW for step in steps]
    assert lengths == [72 * HOUR, 24 * HOUR, 12 * HOUR]


@pytest.mark.parametrize(
    ("step", "begun", "expected"),
    [
        # Begun on Monday at noon: Tuesday 20:00 is more than the least 24 hours away.
        ("M", "2026-03-02 12:00", "Tue 03 Mar 20:00"),
        # Begun on Monday night: less than 24 hours to Tuesday 20:00.
        ("M", "2026-03-02 21:00", "Fri 06 Mar 20:00"),
        ("M", "2026-03-03 20:00", "Fri 06 Mar 20:00"),
        ("R", "2026-03-03 20:00", "Wed 04 Mar 20:00"),
        ("R", "2026-03-03 13:00", "Tue 03 Mar 20:00"),
        ("A", "2026-03-03 20:00", "Wed 04 Mar 02:00"),
        ("R", "2026-12-23 20:00", "Sun 27 Dec 20:00"),
        # Across both changes of the clocks.
        ("M", "2026-03-27 20:00", "Tue 31 Mar 20:00"),
        ("M", "2026-10-23 20:00", "Tue 27 Oct 20:00"),
    ],
)
def test_a_phase_with_a_clock_lasts_its_least_length_and_then_until_the_clock_strikes(
    step: Step, begun: str, expected: str
) -> None:
    begun_at_ = dt.datetime.fromisoformat(begun).replace(tzinfo=BERLIN)
    assert local(due_at(TWICE_A_WEEK, step, begun_at_)) == expected


def test_the_first_phase_may_be_longer() -> None:
    pace = dataclasses.replace(PLAIN, first_extra=48 * HOUR)
    assert due_at(pace, "M", NOW, first=True) == NOW + 120 * HOUR
    assert due_at(pace, "M", NOW) == NOW + 72 * HOUR


def days(first: str, last: str, zone: str = "UTC") -> tuple[dt.datetime, dt.datetime]:
    return absence_span(dt.date.fromisoformat(first), dt.date.fromisoformat(last), ZoneInfo(zone))


@pytest.mark.parametrize(
    ("absences", "expected"),
    [
        ([], "2026-03-05 12:00"),
        ([("2026-03-05", "2026-03-07")], "2026-03-08 00:00"),
        ([("2026-03-06", "2026-03-07")], "2026-03-05 12:00"),
        ([("2026-03-03", "2026-03-04")], "2026-03-05 12:00"),
        # One after the other, however they are listed.
        ([("2026-03-08", "2026-03-09"), ("2026-03-05", "2026-03-07")], "2026-03-10 00:00"),
        # One within the other.
        ([("2026-03-04", "2026-03-10"), ("2026-03-05", "2026-03-06")], "2026-03-11 00:00"),
    ],
)
def test_a_deadline_does_not_fall_into_an_absence(
    absences: list[tuple[str, str]], expected: str
) -> None:
    due = due_at(PLAIN, "M", NOW, absences=[days(*absence) for absence in absences])
    assert f"{due:%Y-%m-%d %H:%M}" == expected


def test_after_an_absence_a_clock_strikes_at_its_next_time() -> None:
    begun = dt.datetime(2026, 3, 2, 12, tzinfo=BERLIN)
    away = days("2026-03-03", "2026-03-04", "Europe/Berlin")
    assert local(due_at(TWICE_A_WEEK, "M", begun, absences=[away])) == "Fri 06 Mar 20:00"


def test_the_days_of_an_absence_are_those_of_the_players_zone() -> None:
    """An absence on the third of March ends a day apart on both sides of the date line."""
    _, east = days("2026-03-03", "2026-03-03", "Pacific/Kiritimati")
    _, west = days("2026-03-03", "2026-03-03", "Pacific/Pago_Pago")
    assert west - east == 25 * HOUR


def test_an_absence_over_the_change_of_the_clocks_is_whole_days() -> None:
    spring = days("2026-03-29", "2026-03-29", "Europe/Berlin")
    autumn = days("2026-10-25", "2026-10-25", "Europe/Berlin")
    assert spring[1] - spring[0] == 23 * HOUR
    assert autumn[1] - autumn[0] == 25 * HOUR


@pytest.mark.parametrize(
    ("minutes", "counted_from"),
    [
        (-600, "processing"),  # early: the phase starts when it is opened
        (0, "deadline"),
        (10, "deadline"),
        (16, "processing"),
        (600, "processing"),
    ],
)
def test_deadlines_do_not_drift_by_the_time_that_processing_takes(
    minutes: int, counted_from: str
) -> None:
    processed_at = NOW + dt.timedelta(minutes=minutes)
    begun = begun_at(PLAIN, "M", NOW, processed_at)
    assert begun == (NOW if counted_from == "deadline" else processed_at)


def test_a_phase_of_seconds_is_not_over_before_it_is_opened() -> None:
    seconds = dt.timedelta(seconds=20)
    pace = Pace(movement=seconds, retreat=seconds, adjustment=seconds)
    late = NOW + dt.timedelta(seconds=5)
    assert due_at(pace, "M", begun_at(pace, "M", NOW, late)) == late + dt.timedelta(seconds=20)


def test_mails_have_the_grace_to_arrive() -> None:
    minute = dt.timedelta(minutes=1)
    assert not is_over(NOW, None, NOW + 4 * minute, grace=5 * minute)
    assert is_over(NOW, None, NOW + 5 * minute, grace=5 * minute)


def test_early_processing_leaves_time_for_second_thoughts() -> None:
    assert not is_over(NOW + DAY, NOW, NOW + HOUR / 2, early_delay=HOUR)
    assert is_over(NOW + DAY, NOW, NOW + HOUR, early_delay=HOUR)
    assert is_over(NOW + DAY, NOW, NOW)


def test_the_deadline_ends_the_time_for_second_thoughts() -> None:
    assert is_over(NOW, NOW - HOUR / 2, NOW, early_delay=HOUR)


def test_a_phase_without_a_deadline_waits_for_the_orders() -> None:
    assert not is_over(None, None, NOW + 1000 * DAY)
    assert is_over(None, NOW, NOW)


def test_a_deadline_can_only_be_moved_later() -> None:
    assert moved_to(NOW + DAY, NOW + 2 * DAY, NOW) == NOW + 2 * DAY
    with pytest.raises(BadInput, match="to a later time"):
        moved_to(NOW + 2 * DAY, NOW + DAY, NOW)
    with pytest.raises(BadInput, match="to a later time"):
        moved_to(NOW + DAY, NOW + DAY, NOW)
    with pytest.raises(BadInput, match="in the future"):
        moved_to(NOW - DAY, NOW - HOUR, NOW)


def test_after_a_pause_everybody_has_the_time_that_was_left() -> None:
    paused_at, resumed_at = NOW + 70 * HOUR, NOW + 100 * HOUR
    due = due_at(PLAIN, "M", NOW)
    after, how = after_pause(PLAIN, "M", due, paused_at, resumed_at)
    assert (after - resumed_at, how) == (2 * HOUR, "left")


def test_after_a_pause_a_clock_strikes_at_its_next_time() -> None:
    due = dt.datetime(2026, 3, 3, 20, tzinfo=BERLIN)
    after, how = after_pause(TWICE_A_WEEK, "M", due, due - DAY, due + DAY)
    assert (local(after), how) == ("Fri 06 Mar 20:00", "regular")


MINUTE = dt.timedelta(minutes=1)


@pytest.mark.parametrize(
    ("left", "pause", "due", "how"),
    [
        (30 * HOUR, MINUTE, "Tue 03 Mar 20:00", "stays"),
        (30 * HOUR, HOUR, "Tue 03 Mar 20:00", "stays"),
        (2 * HOUR, MINUTE, "Tue 03 Mar 20:00", "stays"),
        (2 * HOUR, HOUR, "Tue 03 Mar 21:00", "left"),
        (30 * HOUR, DAY, "Wed 04 Mar 20:00", "left"),
        (30 * HOUR, 2 * DAY, "Fri 06 Mar 20:00", "regular"),
        (30 * HOUR, 10 * DAY, "Fri 13 Mar 20:00", "regular"),
    ],
)
def test_a_short_pause_does_not_cost_the_days_to_the_next_time_of_the_clock(
    left: dt.timedelta, pause: dt.timedelta, due: str, how: str
) -> None:
    tuesday = dt.datetime(2026, 3, 3, 20, tzinfo=BERLIN)
    paused_at = tuesday - left
    after = after_pause(TWICE_A_WEEK, "M", tuesday, paused_at, paused_at + pause)
    assert (local(after[0]), after[1]) == (due, how)


def test_after_a_pause_nothing_is_due_on_a_day_off() -> None:
    friday = dt.datetime(2026, 3, 6, 20, tzinfo=BERLIN)
    pace = dataclasses.replace(PLAIN, days_off=read_days_off("Sat Sun"), zone=BERLIN)
    after, how = after_pause(pace, "M", friday, friday - HOUR, friday + 23 * HOUR)
    assert (local(after), how) == ("Mon 09 Mar 20:00", "day_off")


@pytest.mark.parametrize("late", [dt.timedelta(0), dt.timedelta(seconds=1), 5 * HOUR])
def test_a_pause_after_the_deadline_gives_everybody_a_tenth_of_a_phase(late: dt.timedelta) -> None:
    due = NOW + 72 * HOUR
    resumed = due + late + DAY
    after, how = after_pause(PLAIN, "M", due, due + late, resumed)
    assert (after - resumed, how) == (7.2 * HOUR, "passed")


def test_a_pause_after_the_deadline_takes_the_clocks_next_time_if_that_costs_no_more() -> None:
    due = dt.datetime(2026, 3, 3, 20, tzinfo=BERLIN)
    soon = after_pause(TWICE_A_WEEK, "M", due, due + HOUR, due + 2 * DAY + 20 * HOUR)
    assert (local(soon[0]), soon[1]) == ("Fri 06 Mar 20:00", "passed")


def test_a_part_of_a_second_is_no_day_off() -> None:
    due = dt.datetime(2026, 3, 4, 20, tzinfo=BERLIN)
    resumed = dt.datetime(2026, 3, 4, 12, 0, 7, 250_000, tzinfo=BERLIN)
    after, how = after_pause(PLAIN, "M", due, resumed - dt.timedelta(seconds=7), resumed)
    assert how in ("left", "stays")
    assert after - due <= dt.timedelta(seconds=8)


def test_a_short_outage_does_not_cost_the_days_to_the_next_time_of_the_clock() -> None:
    tuesday = dt.datetime(2026, 3, 3, 20, tzinfo=BERLIN)
    after = after_outage(TWICE_A_WEEK, "M", tuesday, tuesday - HOUR, tuesday + HOUR)
    assert local(after) == "Tue 03 Mar 23:24"


@pytest.mark.parametrize(
    ("down_before", "back_after", "left"),
    [
        (10, 5, 10 * HOUR),
        (1, 100, 7.2 * HOUR),  # a tenth of the phase at least
        (71, 0, 71 * HOUR),
    ],
)
def test_after_an_outage_everybody_has_the_time_that_was_left(
    down_before: int, back_after: int, left: dt.timedelta
) -> None:
    back = NOW + back_after * HOUR
    assert after_outage(PLAIN, "M", NOW, NOW - down_before * HOUR, back) - back == left


def test_a_broken_phase_is_tried_again_after_ever_longer_pauses() -> None:
    waits = [retry_at(attempts, NOW) - NOW for attempts in (1, 2, 3)]
    assert waits == [dt.timedelta(minutes=minutes) for minutes in (1, 4, 16)]


lengths = st.timedeltas(dt.timedelta(seconds=10), dt.timedelta(days=14))
paces = st.builds(
    Pace,
    movement=lengths,
    retreat=lengths,
    adjustment=lengths,
    movement_clock=st.sampled_from(["", "Tue Fri 20:00", "daily 2:30"]).map(read_clock),
    retreat_clock=st.sampled_from(["", "weekdays 12:00"]).map(read_clock),
    days_off=st.sampled_from(["", "Sat Sun", "12-24..01-02"]).map(read_days_off),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Kiritimati"]).map(ZoneInfo),
    first_extra=st.sampled_from([dt.timedelta(0), DAY]),
)
steps = st.sampled_from(["M", "R", "A"])
moments = st.datetimes(dt.datetime(2020, 1, 1), dt.datetime(2030, 1, 1), timezones=st.just(dt.UTC))
spans = st.lists(
    st.tuples(moments, st.timedeltas(HOUR, 21 * DAY)).map(lambda s: (s[0], s[0] + s[1])),
    max_size=4,
)


@given(paces, steps, moments, spans, st.booleans())
def test_a_phase_lasts_its_least_length_at_least(
    pace: Pace,
    step: Step,
    begun: dt.datetime,
    absences: list[tuple[dt.datetime, dt.datetime]],
    first: bool,
) -> None:
    due = due_at(pace, step, begun, first=first, absences=absences)
    assert due >= begun + pace.length(step)
    assert not any(since <= due < until for since, until in absences)


@given(paces, steps, moments, spans)
def test_an_absence_never_makes_a_deadline_earlier(
    pace: Pace,
    step: Step,
    begun: dt.datetime,
    absences: list[tuple[dt.datetime, dt.datetime]],
) -> None:
    without = due_at(pace, step, begun)
    assert due_at(pace, step, begun, absences=absences) >= without


@given(paces, steps, moments, lengths, lengths, lengths)
def test_a_deadline_never_moves_earlier(
    pace: Pace,
    step: Step,
    due: dt.datetime,
    before: dt.timedelta,
    after: dt.timedelta,
    late: dt.timedelta,
) -> None:
    gone, back = due - before, due + after
    for paused, resumed in [(gone, back), (due + late, due + late + after)]:
        then, _ = after_pause(pace, step, due, paused, resumed)
        assert then >= due
        assert then > resumed
    moved = after_outage(pace, step, due, gone, back)
    assert moved >= due
    assert moved > back


@given(paces, steps, moments, st.none() | moments)
def test_a_new_phase_is_due_after_it_was_opened(
    pace: Pace, step: Step, now: dt.datetime, last: dt.datetime | None
) -> None:
    assert due_at(pace, step, begun_at(pace, step, last, now)) > now


@given(moments, moments, moments)
def test_no_move_is_accepted_that_is_not_later(
    due: dt.datetime, to: dt.datetime, now: dt.datetime
) -> None:
    assume(to <= due or to <= now)
    with pytest.raises(BadInput):
        moved_to(due, to, now)
