"""Which deadlines the simulation reads in a mail."""

from __future__ import annotations

import datetime as dt
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.mails.pledges import Pledges, deadlines_in

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


@pytest.mark.parametrize(
    ("came", "recorded", "said", "may_be"),
    [
        ("2026-03-09 09:25:01", "2026-03-09 09:26:00", "what you wrote then counts\ninstead", True),
        ("2026-03-09 09:25:01", "2026-03-09 09:26:00", "", False),
        ("2026-03-09 09:24:59", "2026-03-09 09:26:00", "what you wrote then counts instead", False),
        ("2026-03-09 09:25:01", "2026-03-09 09:28:00", "what you wrote then counts instead", False),
    ],
)
def test_orders_that_came_too_late_may_replace_those_of_which_a_receipt_says_that_they_stand(
    came: str, recorded: str, said: str, may_be: bool
) -> None:
    """If they were read before it, though they came after it, and it says so."""
    database = sqlite3.connect(":memory:")
    database.executescript("""
        create table games_power as select 1 as id, 'Italy' as name;
        create table games_phase as select 1 as id, 1 as game_id, '2026-03-09 09:25:00' as due_at;
        create table games_game as select 1 as id, 'wait' as when_missing;
        create table mailer_inboundmail as select 5 as id, '2026-03-09 09:24:58' as received_at;
        create table games_orderset (phase_id, power_id, received_at, recorded_at);
    """)
    database.execute("insert into games_orderset values (1, 1, ?, ?)", [came, recorded])
    pledges = Pledges(Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set()))
    receipt = {"answers_id": 5, "created_at": dt.datetime(2026, 3, 9, 9, 27)}
    assert pledges._may_be_replaced(cast(sqlite3.Row, receipt), 1, "Italy", said) is may_be
