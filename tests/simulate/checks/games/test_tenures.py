"""Who the simulation holds to have two powers of a game, or to hear too much of one."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.games import tenures

NOTHING = cast(Any, None)


@pytest.mark.parametrize(("status", "may"), [("active", False), ("finished", True)])
def test_only_a_game_that_is_over_may_have_been_played_by_one_person_twice(
    status: str, may: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.executescript(
        f"""
        create table games_game as select 1 as id, 'verdun' as name, '{status}' as status;
        create table games_player as select 1 as id, 'Ana' as name;
        create table games_power as select 1 as id, 1 as game_id, 'France' as name
          union select 2, 1, 'Turkey';
        create table games_seat as select id as power_id, 1 as player_id, null as until
          from games_power;
        """
    )
    breaks = pytest.raises(Broken, match="Ana has two powers of verdun")
    with contextlib.nullcontext() if may else breaks:
        tenures.look(Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set()))


@pytest.mark.parametrize(
    ("until", "table", "may"),
    [
        ("null", "", True),
        ("11", "", True),
        ("9", "", False),
        ("9", "observer", True),
        ("9", "application", True),
    ],
)
def test_only_whoever_plays_or_watches_hears_what_is_played(
    until: str, table: str, may: bool
) -> None:
    """Something happened at 10; Ana played until then, watches, or waits for the start."""
    database = sqlite3.connect(":memory:")
    database.executescript(
        f"""
        create table games_event as select 1 as id, 1 as game_id, 10 as created_at;
        create table games_player as select 1 as id, null as merged_into_id;
        create table games_power as select 1 as id, 1 as game_id;
        create table games_seat as select 1 as power_id, 1 as player_id, {until} as until;
        create table games_game as select 1 as id, null as started_at;
        create table games_observer as select 1 as game_id, 1 as player_id, null as until
         where {table == "observer"};
        create table games_application as select 1 as game_id, 1 as player_id, null as withdrawn_at
         where {table == "application"};
        """
    )
    mail = {"kind": "phase_processed", "player_id": 1, "event_id": 1, "subject": "Results"}
    told = cast(sqlite3.Row, mail | {"recipient": "ana@players.example"})
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="plays no longer"):
        tenures.mail(Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set()), told)
