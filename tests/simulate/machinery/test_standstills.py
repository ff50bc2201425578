"""When the simulation holds a phase to be decided while the whole server stood still."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.clock import BEGINNING
from tests.simulate.machinery.standstills import Stillness

NOTHING = cast(Any, None)
HOUR, MINUTE = dt.timedelta(hours=1), dt.timedelta(minutes=1)
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


@pytest.mark.parametrize(
    ("due", "has_moved", "may"),
    [
        (BEGAN - HOUR, False, True),
        (BEGAN + HOUR, False, False),
        (BEGAN + 2 * HOUR + MINUTE, False, True),
        (BEGAN + 2 * HOUR + MINUTE, True, False),
        (BEGAN + 4 * HOUR, True, True),
    ],
)
def test_a_deadline_that_passed_in_a_standstill_has_to_move(
    due: dt.datetime, has_moved: bool, may: bool
) -> None:
    event = _goes_on(due if due > BEGAN else None)
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="stood still since"):
        _stillness(due=due, has_moved=has_moved).event(event)


def test_nobody_reads_of_a_deadline_that_has_passed_as_if_it_were_to_come() -> None:
    with pytest.raises(Broken, match="people read that it is due"):
        _stillness(due=BEGAN - HOUR).event(_goes_on(BEGAN - HOUR))


def _goes_on(due: dt.datetime | None) -> sqlite3.Row:
    said = due and due.replace(tzinfo=dt.UTC).isoformat()
    facts = {"id": 1, "kind": "server_resumed", "created_at": BEGAN + 2 * HOUR, "phase_id": 1}
    return cast(sqlite3.Row, facts | {"payload": json.dumps({"due_at": said})})


def _stillness(*, by: str = "", due: dt.datetime = BEGAN, has_moved: bool = False) -> Stillness:
    """The server stood still for two hours."""
    sqlite3.register_converter("moment", lambda raw: dt.datetime.fromisoformat(raw.decode()))
    database = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES)
    database.executescript(f"""
        create table games_halt (id, began_at moment, ended_at moment);
        create table games_phase (id, name, due_at moment, overdue_at moment);
        create table games_event as select 1 as id, '{{"by": "{by}"}}' as payload,
            '{"deadline_moved" if has_moved else ""}' as kind, 1 as phase_id,
            '{BEGAN + 2 * HOUR}' as created_at;
        insert into games_halt values (1, '{BEGAN}', '{BEGAN + 2 * HOUR}');
        insert into games_phase values (1, 'S1901M', '{due}', null);
    """)
    return Stillness(Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set()))
