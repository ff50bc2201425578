"""Which deadlines the simulation reads in a mail."""

from __future__ import annotations

import datetime as dt
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.evidence import Broken
from tests.simulate.pledges import Pledges, deadlines_in

NOTHING = cast(Any, None)
MAIL = cast(sqlite3.Row, {"event_id": 1, "subject": "results", "recipient": "ana@x.test"})

DUE = dt.datetime(2026, 3, 9, 9, 25, tzinfo=dt.UTC)


@pytest.mark.parametrize("moment", ["09:25 UTC", "10:25 CET (09:25 UTC)"])
def test_a_deadline_is_read_in_the_zone_of_its_reader(moment: str) -> None:
    text = f"Winter 1901 adjustments\nDeadline: Mon 9 Mar 2026, {moment}, in 2 hours."
    assert deadlines_in(text) == [("Winter 1901 adjustments", DUE)]


def test_a_result_that_goes_on_below_is_the_same() -> None:
    pledges = Pledges(NOTHING)
    for text in ("Italy: A Rome H: fails, destroyed.", "Italy: A Rome H: fails,   destroyed."):
        pledges._same_results(MAIL, text)
    with pytest.raises(Broken, match="and others 'fails, destroyed'"):
        pledges._same_results(MAIL, "Italy: A Rome H: stands.")
