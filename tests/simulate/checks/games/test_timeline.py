"""Which games the simulation holds to stand still though they are played again."""

from __future__ import annotations

import sqlite3
from contextlib import nullcontext
from typing import Any, cast

import pytest

from tests.rows import each_row
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.games import timeline

NOTHING = cast(Any, None)


@each_row(
    ("status", "later", "is_kept"),
    [
        ("active", [], True),
        ("paused", [], False),
        ("finished", [], False),
        ("paused", ["mail_sent"], False),
        ("paused", ["game_paused"], True),
        ("finished", ["orders_set", "game_finished"], True),
    ],
)
def test_a_game_that_is_played_again_stands_still_only_if_it_was_stopped_since(
    status: str, later: list[str], is_kept: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.executescript(f"""
        create table games_game as select 1 as id, '{status}' as status, '' as winner,
          '[]' as winners, '' as ending, null as finished_at;
        create table games_event (game_id, number, kind);
        insert into games_event values (1, 1, 'game_paused'), (1, 2, 'game_rolled_back');
    """)
    rows = [(1, number, kind) for number, kind in enumerate(later, start=3)]
    database.executemany("insert into games_event values (?, ?, ?)", rows)
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    [back] = seen.rows("select * from games_event where number = 2")
    with nullcontext() if is_kept else pytest.raises(Broken, match="stands still"):
        timeline._goes_on(seen, back, "F1901M")
