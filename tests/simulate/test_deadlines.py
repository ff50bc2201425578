"""Which deadlines the simulation holds to have moved in silence."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.deadlines import Deadlines
from tests.simulate.evidence import Broken, Evidence

NOTHING = cast(Any, None)
BEFORE, DUE, LATER = (dt.datetime(2026, 4, day, 20, tzinfo=dt.UTC) for day in (5, 12, 13))
EARLIER = BEFORE - dt.timedelta(hours=1)
MOVED = ("deadline_moved", {"to": DUE.isoformat()})
NOBODY_IS_LEFT = ("game_paused", {"by": "the server"})
PHASE = cast(sqlite3.Row, {"id": 1, "name": "S1445M", "game": "amiens"})


def moved_to(due: dt.datetime, *events: tuple[str, dict[str, str]]) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("create table games_event (id integer primary key, phase_id, kind, payload)")
    rows = [(kind, json.dumps(facts)) for kind, facts in events]
    database.executemany("insert into games_event values (null, 1, ?, ?)", rows)
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    Deadlines(seen)._was_moved(PHASE, BEFORE, due)


@pytest.mark.parametrize("events", [[MOVED], [NOBODY_IS_LEFT], [NOBODY_IS_LEFT, MOVED]])
def test_a_deadline_moves_as_an_event_says_or_the_clock_stands_still(
    events: list[tuple[str, dict[str, str]]],
) -> None:
    moved_to(DUE, *events)


@pytest.mark.parametrize(
    ("due", "events"),
    [
        (DUE, []),
        (DUE, [("game_paused", {"by": "the GM"})]),
        (LATER, [MOVED]),
        (LATER, [NOBODY_IS_LEFT, MOVED]),
        (EARLIER, [NOBODY_IS_LEFT]),
    ],
)
def test_any_other_moves_in_silence(
    due: dt.datetime, events: list[tuple[str, dict[str, str]]]
) -> None:
    with pytest.raises(Broken, match="nothing says so"):
        moved_to(due, *events)
