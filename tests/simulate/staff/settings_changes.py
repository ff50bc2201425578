"""A GM who changes settings of a game that is being played, on the admin's page.

What is promised: an open phase keeps its deadline (`deadlines`), and the next one has the length
that is set then (`wall_clocks` checks that of games with a clock).
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.models import Game
from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.some_days import OnSomeDays
from tests.simulate.staff.gm_pages import GmPages
from tests.simulate.wall_clocks import OF_STEP, beginnings, first_extra

HOUR = dt.timedelta(hours=1)
MINUTE = dt.timedelta(minutes=1)
CHANGES: Sequence[Mapping[str, Any]] = (
    {"movement_length": 36 * HOUR, "retreat_length": 6 * HOUR, "adjustment_length": 6 * HOUR},
    {"movement_length": 3 * HOUR},
    {"when_missing": "wait"},
    {"when_missing": "hold", "disorder_after": 1},
    {"when_missing": "extend"},
    {"process_early": True, "early_delay": 0 * HOUR},
    {"process_early": False},
    {"reminders": "off"},
    {"reminders": "12h 3h 1h", "player_extensions": 1},
    {"transit_grace": 30 * MINUTE},
    {"takeover_time": HOUR},
    {"days_off": "Sat Sun"},
    {"min_reliability": 80},
)
WHY = "The table has agreed to it."


@dataclass
class SettingsChanges(OnSomeDays):
    """All of a seed; `pages` are those on which they are made."""

    TRIES = (0, 0, 1, 3)
    WITHIN = 20.0

    pages: GmPages

    def happen(self) -> None:
        """Have some settings changed."""
        self.change()

    def change(self, changes: Mapping[str, Any] | None = None) -> None:
        """Change these settings of a game, or some others, if its page lets the GM."""
        game = Game.objects.filter(name=self.chance.choice(sorted(self.pages.variants))).first()
        if game and game.gm:
            given = {"changes": changes or self.chance.choice(CHANGES), "why": WHY}
            self.pages.on_page(game, "settings", given)


def opened(seen: Evidence, phase_id: int) -> None:
    """Check that a phase that has just begun is as long as was set, and ends while nobody is away
    for whom the game waits. Raises Broken."""
    query = """select phase.*, game.name as game, game.* from games_phase phase
                 join games_game game on game.id = game_id where phase.id = ?"""
    moved = "select 1 from games_event where phase_id = ? and json_extract(payload, '$.from')"
    [row] = seen.rows(query, phase_id)
    step, due = OF_STEP[row["name"][-1]], time_of(row["due_at"])
    if not due or row[f"{step}_clock"] or row["days_off"] or seen.rows(moved, phase_id):
        return
    length = dt.timedelta(microseconds=row[f"{step}_length"])
    length += first_extra(seen, row)
    begun = beginnings(seen, row)
    what = f"{row['game']} {row['name']} lasts from {min(begun)} to {due}"
    if due < min(begun) + length - MINUTE:
        raise Broken(f"{what}, not {length}")
    if due > max(begun) + length + MINUTE and not _is_anybody_away(seen, row):
        raise Broken(f"{what}, not {length}, and nobody is away")
    for one in _away(seen, row) if row["waits_for_absent"] and step == "movement" else ():
        if one["first"] <= due.date() <= one["last"]:
            raise Broken(f"{what}, and ends while {one['power']} is away")


def _is_anybody_away(seen: Evidence, row: sqlite3.Row) -> bool:
    query = "select 1 from games_absence where withdrawn_at is null or withdrawn_at >= ?"
    return bool(row["waits_for_absent"] and seen.rows(query, _at(row)))


def _away(seen: Evidence, row: sqlite3.Row) -> list[sqlite3.Row]:
    """Who had said before a phase began that they would be away, and has units to order in it;
    without those whose clocks do not show UTC."""
    query = """select first, last, power.name as power from games_absence absence
                 join games_player player on player.id = absence.player_id and timezone = 'UTC'
                 join games_seat seat on seat.player_id = player.id and until is null
                 join games_power power on power.id = power_id and power.game_id = ?
                where withdrawn_at is null and absence.created_at < ? and since <= ?"""
    units = json.loads(row["position"])["units"]
    away = seen.rows(query, row["game_id"], _at(row), _at(row))
    return [one for one in away if units.get(one["power"])]


def _at(row: sqlite3.Row) -> str:
    return str(row["opened_at"].isoformat(sep=" "))
