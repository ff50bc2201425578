"""A deadline that a GM put off by mistake and took back: never before the one that it replaced, and
whoever misses it is not to blame."""

from __future__ import annotations

import json
import sqlite3

from tests.simulate.checks.evidence import Broken, Evidence


def event(seen: Evidence, event: sqlite3.Row) -> None:
    """Check an event that has just been written. Raises Broken."""
    if event["kind"] == "deadline_corrected":
        _not_too_far(seen, event)
    elif event["kind"] == "phase_processed":
        _nobody_to_blame(seen, event["phase_id"])


def _not_too_far(seen: Evidence, event: sqlite3.Row) -> None:
    query = """select payload from games_event where phase_id = ? and kind = 'deadline_moved'
                  and id < ? order by id desc limit 1"""
    moved = seen.rows(query, event["phase_id"], event["id"])
    to = json.loads(event["payload"])["to"]
    if not moved or to < json.loads(moved[0]["payload"])["from"]:
        raise Broken(f"a deadline is taken back to {to}, before the one that it replaced")


def _nobody_to_blame(seen: Evidence, phase: int) -> None:
    query = """
        select player.name from games_attendance attendance
          join games_seat seat on seat.id = seat_id
          join games_player player on player.id = player_id
          join games_event event on event.phase_id = attendance.phase_id
         where event.phase_id = ? and kind = 'deadline_corrected'
           and came = 'missed' and excused_at is null
    """
    for row in seen.rows(query, phase):
        raise Broken(f"{row['name']} is to blame for missing a deadline that was taken back")


def sent_for(seen: Evidence, game: int) -> set[tuple[object, ...]]:
    """Return what players have sent for the open phase of a game, as it counts now."""
    open_phase = "select id from games_phase where game_id = ? and status = 'open'"
    sets = f"select id, counts from games_orderset where phase_id in ({open_phase})"
    words = f"select power_id, word from games_readiness where phase_id in ({open_phase})"
    return {tuple(row) for query in (sets, words) for row in seen.rows(query, game)}
