"""Who the simulation holds to have two powers of a game."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate import tenures
from tests.simulate.evidence import Broken, Evidence

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
