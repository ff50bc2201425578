"""Who plays what: nobody has two powers of a game that goes on, no power has two players, and
whoever has left hears no news of what is played."""

from __future__ import annotations

import sqlite3

from tests.simulate.checks.evidence import Broken, Evidence

HELD = """
    from games_seat seat join games_power power on power.id = power_id
      join games_player player on player.id = player_id
      join games_game game on game.id = game_id where until is null and game.status != 'finished'
"""
"""Whose accounts were merged may have had two powers of a game that is over."""
NEWS = frozenset(
    {
        *("phase_processed", "orders_missing", "orders_set", "press_sent", "settings_changed"),
        *("deadline_moved", "deadline_corrected", "game_paused", "game_resumed", "phase_held"),
        *("server_halted", "server_resumed", "orders_looked_at"),
        *("vote_proposed", "vote_cast", "vote_closed"),
    }
)
"""What only those hear who play, watch the game or run it."""


def look(seen: Evidence) -> None:
    """Check all seats as they are now. Raises Broken."""
    what = "game.name as game, player.name, group_concat(power.name, ' and ') as powers"
    for row in seen.rows(f"select {what} {HELD} group by game.id, player.id having count(*) > 1"):
        raise Broken(f"{row['name']} has two powers of {row['game']}: {row['powers']}")
    what = "game.name as game, power.name, group_concat(player.name, ' and ') as players"
    for row in seen.rows(f"select {what} {HELD} group by power.id having count(*) > 1"):
        raise Broken(f"{row['name']} in {row['game']} is played by {row['players']}")


def mail(seen: Evidence, mail: sqlite3.Row) -> None:
    """Check whom a mail tells of a game, as it is queued. Raises Broken."""
    if mail["kind"] not in NEWS or mail["player_id"] is None or mail["event_id"] is None:
        return
    query = """
        select 1 from games_event event join games_player reader on reader.id = ?
          join games_power power on power.game_id = event.game_id
          join games_seat seat on seat.power_id = power.id
           and seat.player_id in (reader.id, reader.merged_into_id)
         where event.id = ? and (until is null or until >= event.created_at)
        union select 1 from games_event event
          join games_observer watcher on watcher.game_id = event.game_id
         where event.id = ? and player_id = ? and (until is null or until >= event.created_at)
        union select 1 from games_event event join games_player reader on reader.id = ?
          join games_game game on game.id = event.game_id
           and (started_at is null or started_at >= event.created_at)
          join games_application place on place.game_id = game.id
           and place.player_id in (reader.id, reader.merged_into_id)
         where event.id = ? and (withdrawn_at is null or withdrawn_at >= event.created_at)
    """
    reader, event = mail["player_id"], mail["event_id"]
    if not seen.rows(query, reader, event, event, reader, reader, event):
        raise Broken(f"{mail['recipient']} plays no longer, and reads {mail['subject']!r}")
