"""When the simulation holds a phase to be decided while the whole server stood still."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.clock import BEGINNING
from tests.simulate.evidence import Broken, Evidence
from tests.simulate.standstills import Stillness

NOTHING = cast(Any, None)
HOUR = dt.timedelta(hours=1)
BEGAN = BEGINNING.replace(tzinfo=None)


@pytest.mark.parametrize(
    ("at", "by", "may"),
    [
        (BEGAN - HOUR, "", True),
        (BEGAN + HOUR, "", False),
        (BEGAN + HOUR, "the GM", True),
        (BEGAN + 3 * HOUR, "", True),
    ],
)
def test_in_a_standstill_no_phase_is_decided_but_by_hand(
    at: dt.datetime, by: str, may: bool
) -> None:
    event = {"id": 1, "kind": "phase_processed", "created_at": at}
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="in a standstill"):
        _stillness(by=by).event(cast(sqlite3.Row, event))


@pytest.mark.parametrize(("due", "may"), [(BEGAN + HOUR, False), (BEGAN + 4 * HOUR, True)])
def test_a_deadline_that_passed_in_a_standstill_has_to_move(due: dt.datetime, may: bool) -> None:
    event = {"id": 1, "kind": "server_resumed", "created_at": BEGAN + 2 * HOUR, "phase_id": 1}
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="stood still since"):
        _stillness(due=due).event(cast(sqlite3.Row, event))


def _stillness(*, by: str = "", due: dt.datetime = BEGAN) -> Stillness:
    """The server stood still for two hours."""
    sqlite3.register_converter("moment", lambda raw: dt.datetime.fromisoformat(raw.decode()))
    database = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES)
    database.executescript(f"""
        create table games_halt (id, began_at moment, ended_at moment);
        create table games_phase (id, name, due_at moment, overdue_at moment);
        create table games_event as select 1 as id, '{{"by": "{by}"}}' as payload;
        insert into games_halt values (1, '{BEGAN}', '{BEGAN + 2 * HOUR}');
        insert into games_phase values (1, 'S1901M', '{due}', null);
    """)
    return Stillness(Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set()))
