"""Who plays what: nobody has two powers of a game that goes on, and no power has two players."""

from __future__ import annotations

from tests.simulate.evidence import Broken, Evidence

HELD = """
    from games_seat seat join games_power power on power.id = power_id
      join games_player player on player.id = player_id
      join games_game game on game.id = game_id where until is null and game.status != 'finished'
"""
"""Whose accounts were merged may have had two powers of a game that is over."""


def look(seen: Evidence) -> None:
    """Check all seats as they are now. Raises Broken."""
    what = "game.name as game, player.name, group_concat(power.name, ' and ') as powers"
    for row in seen.rows(f"select {what} {HELD} group by game.id, player.id having count(*) > 1"):
        raise Broken(f"{row['name']} has two powers of {row['game']}: {row['powers']}")
    what = "game.name as game, power.name, group_concat(player.name, ' and ') as players"
    for row in seen.rows(f"select {what} {HELD} group by power.id having count(*) > 1"):
        raise Broken(f"{row['name']} in {row['game']} is played by {row['players']}")
