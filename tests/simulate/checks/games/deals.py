"""What is promised when powers are dealt: the lists of those who play are honoured.

Nobody has a power less liked while one that they rank above it went to somebody who did not ask for
it, no two would both rather have each other's, and a list is one that its player sent. Who wants
any power at random gets one before the lists are read, and whom a GM seated has what they were
given.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations

from tests.simulate.checks.evidence import Broken, Evidence

RANDOM = "random"
NOT_HONOURED = "the lists were not honoured"


@dataclass(frozen=True)
class Wish:
    """Who has a power, and how they ranked all powers."""

    player: int
    power: str
    ranks: Mapping[str, int]
    """By power, its place in the list, from 0 on; those that are not in it are missing."""
    is_random: bool

    def rather(self, power: str) -> bool:
        """Whether they rank this power above the one that they have."""
        mine = self.ranks.get(self.power, len(self.ranks))
        return not self.is_random and self.ranks.get(power, mine) < mine


def dealt(seen: Evidence, event: sqlite3.Row) -> None:
    """Check the powers of a game that has just begun. Raises Broken."""
    query = """
        select seat.player_id, power.name as power, application.preferences, game.name as game
          from games_seat seat join games_power power on power.id = seat.power_id
          join games_game game on game.id = power.game_id
          join games_application application
            on application.game_id = game.id and application.player_id = seat.player_id
         where game.id = ? and seat.since <= game.started_at and withdrawn_at is null
    """
    seated = _seated_by_the_gm(seen, event["game_id"])
    rows = [row for row in seen.rows(query, event["game_id"]) if row["player_id"] not in seated]
    for row in rows:
        _sent(seen, row)
    wishes = [_wish(row) for row in rows]
    for one, other in permutations(wishes, 2):
        if not one.rather(other.power) or other.is_random:
            continue
        what = f"{rows[0]['game']}: {NOT_HONOURED}: player {one.player} has {one.power}"
        if other.power not in other.ranks:
            raise Broken(f"{what}, and {other.power} went to somebody who did not ask for it")
        if other.rather(one.power):
            raise Broken(f"{what}, and player {other.player} {other.power}: both would rather swap")


def _wish(row: sqlite3.Row) -> Wish:
    said = row["preferences"]
    ranks = {
        power.strip(): place
        for place, rank in enumerate(said.split(";"))
        for power in re.split(r",| or ", rank.strip(" []"))
    }
    is_random = said == RANDOM
    return Wish(row["player_id"], row["power"], {} if is_random or not said else ranks, is_random)


def _seated_by_the_gm(seen: Evidence, game: int) -> set[int]:
    query = "select payload from games_event where game_id = ? and kind = 'player_joined'"
    joined = [json.loads(row["payload"]) for row in seen.rows(query, game)]
    return {one["player"] for one in joined if one.get("power")}


def _sent(seen: Evidence, row: sqlite3.Row) -> None:
    """Check that a list stands in a mail of its player, as far as they joined by mail."""
    query = "select email from games_address where player_id = ?"
    emails = {one["email"] for one in seen.rows(query, row["player_id"])}
    begins = f"JOIN {row['game']}"
    texts = [
        one.text.removeprefix(begins).strip()
        for one in seen.letters.values()
        if one.writer in emails
        and one.text.startswith(begins)
        and one.message_id in seen.deliveries
    ]
    if texts and not any(text.endswith(row["preferences"]) for text in texts):
        raise Broken(f"{row['game']}: the list {row['preferences']!r} is none of {texts}")
