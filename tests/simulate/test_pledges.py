"""Which deadlines the simulation reads in a mail."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.simulate.pledges import deadlines_in

DUE = dt.datetime(2026, 3, 9, 9, 25, tzinfo=dt.UTC)


@pytest.mark.parametrize("moment", ["09:25 UTC", "10:25 CET (09:25 UTC)"])
def test_a_deadline_is_read_in_the_zone_of_its_reader(moment: str) -> None:
    text = f"Winter 1901 adjustments\nDeadline: Mon 9 Mar 2026, {moment}, in 2 hours."
    assert deadlines_in(text) == [("Winter 1901 adjustments", DUE)]
