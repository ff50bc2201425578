"""The simulation's own reckoning of summer time agrees with the table of time zones."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from games.timing.clock import wall_moment
from tests.simulate.checks.evidence import UTC
from tests.simulate.wall_clocks import ZONES, written

TIMES = [dt.time(hour, 30) for hour in (0, 1, 2, 3, 20)]


@pytest.mark.parametrize("name", list(ZONES))
def test_each_time_of_a_year_is_when_clocks_show_it(name: str) -> None:
    """One that is skipped, and one that comes twice, too."""
    for day in (dt.date(2026, 1, 1) + dt.timedelta(days=number) for number in range(365)):
        for time in TIMES:
            assert ZONES[name].moment(day, time) == wall_moment(day, time, ZoneInfo(name))


@pytest.mark.parametrize("name", list(ZONES))
def test_a_moment_is_written_as_clocks_show_it(name: str) -> None:
    for hours in range(0, 365 * 24, 11):
        at = dt.datetime(2026, 1, 1, tzinfo=UTC) + dt.timedelta(hours=hours)
        assert written(at, name) == f"{at.astimezone(ZoneInfo(name)):%Y-%m-%d %H:%M}"
