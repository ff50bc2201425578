"""Whom the simulation takes for somebody who may not run a game."""

from __future__ import annotations

import random
import sqlite3
from types import SimpleNamespace
from typing import Any, cast

from tests.simulate.checks.evidence import Evidence
from tests.simulate.machinery.clock import BEGINNING
from tests.simulate.players.writers import GM, Draft
from tests.simulate.staff.impostor import Impostor

NOTHING = cast(Any, None)


class Somebody(SimpleNamespace):
    address: str

    def written(self, mail: None, text: str, **facts: object) -> SimpleNamespace:
        return SimpleNamespace(writer=self.address, text=text)


def test_no_impostor_runs_the_game_or_writes_to_one_that_is_not_made_yet() -> None:
    """Carla runs amiens at an address that she has besides; Ana has asked for arras."""
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.executescript("""
        create table games_game as select 1 as id, 'amiens' as name, 7 as gm_id;
        create table games_cogm (game_id, user_id, until);
        create table auth_user as select 7 as id, 'carla@elsewhere.example' as email;
        create table games_address as select 3 as player_id, 'carla@players.example' as email
          union select 3, 'carla@elsewhere.example';
    """)
    written: list[Draft] = []
    seen = Evidence(lambda: database, NOTHING, lambda: BEGINNING, NOTHING, set())
    carrier = cast(Any, SimpleNamespace(seen=seen, think=written.extend))
    addresses = [f"{name}@players.example" for name in ("ana", "ben", "carla")]
    people = cast(Any, {one: Somebody(address=one) for one in [*addresses, GM]})
    variants = {"amiens": "standard", "arras": "standard"}
    impostor = Impostor(random.Random(1), NOTHING, carrier, people, variants)
    for _ in range(20):
        impostor._write(impostor._games()[-1], "PAUSE because I say so", is_forged=False)
    assert {one.letter.text for one in written} == {"GM amiens\nPAUSE because I say so"}
    assert {one.letter.writer for one in written} == {addresses[0], addresses[1]}
