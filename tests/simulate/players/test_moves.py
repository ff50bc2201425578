"""To which addresses the simulation holds that nobody may write."""

from __future__ import annotations

import sqlite3
from contextlib import nullcontext
from typing import Any, cast

import pytest

from tests.rows import each_row
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.players.moves import Homes

NOTHING = cast(Any, None)


@each_row(
    ("erased_at", "may"),
    [
        ("null", False),
        ("'2026-03-14 15:24:19'", False),
        ("'2026-03-14 15:24:20.937634'", True),
    ],
)
def test_whoever_was_erased_since_a_mail_was_queued_has_lost_the_address_since(
    erased_at: str, may: bool
) -> None:
    """The address has no row any more."""
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.executescript(f"""
        create table games_player as select 1 as id, {erased_at} as erased_at,
          null as merged_into_id;
        create table games_address (player_id, email, confirmed_at);
        create table mail as select 1 as player_id, null as answers_id, 'server_restored' as kind,
          'ana@players.example' as recipient, 'From a backup' as subject,
          '2026-03-14 15:24:20.317634' as created_at;
    """)
    seen = Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set())
    [mail] = seen.rows("select * from mail")
    with nullcontext() if may else pytest.raises(Broken, match="no address of theirs"):
        Homes(seen).mail(mail)
