"""Which mails the simulation holds to belong at a player's address of record."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any, cast

import pytest

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.people.persons import Persons

NOTHING = cast(Any, None)


@pytest.mark.parametrize(
    ("kind", "player", "event", "may"),
    [
        ("phase_processed", 1, 7, False),
        ("phase_processed", None, 7, True),  # it goes to a GM, at the address of their user
        ("undelivered", None, None, True),  # so does this
        ("resumed", 1, None, False),
        ("copy", 1, 7, True),
    ],
)
def test_a_player_with_two_addresses_reads_the_news_at_one(
    kind: str, player: int | None, event: int | None, *, may: bool
) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.executescript("""
        create table games_address (player_id, email, of_record);
        insert into games_address values (1, 'ida@a.example', true), (1, 'hugo@a.example', false);
    """)
    mail = {"player_id": player, "event_id": event, "kind": kind, "key": ""}
    row = cast(sqlite3.Row, {**mail, "recipient": "hugo@a.example"})
    persons = Persons(Evidence(lambda: database, NOTHING, NOTHING, NOTHING, set()))
    with contextlib.nullcontext() if may else pytest.raises(Broken, match="of record, ida"):
        persons._to_the_address_of_record(row, "the mail")
