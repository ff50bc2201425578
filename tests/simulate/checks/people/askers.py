"""Where the GM lets people in, nobody takes over a seat unasked: they were invited, or offered it,
or had it before, or the GM gives it to them."""

from __future__ import annotations

import json
import sqlite3

from tests.simulate.checks.evidence import Broken, Evidence


def event(seen: Evidence, event: sqlite3.Row) -> None:
    """Check an event that has just been written. Raises Broken."""
    facts = json.loads(event["payload"])
    if event["kind"] != "seat_taken" or facts["by"] != "a takeover":
        return
    query = """
        select player.name, power.name as power, game.name as game from games_seat seat
          join games_player player on player.id = player_id
          join games_power power on power.id = power_id
          join games_game game on game.id = game_id
         where seat.id = ? and entry = 'approval' and not exists (
               select 1 from games_invitation invited
                 join games_address address on address.email = invited.email
                where invited.game_id = game.id and address.player_id = player.id
                  and kind = 'invited')
           and not exists (select 1 from games_offer offer where offer.player_id = player.id
                              and offer.power_id = power.id)
           and not exists (select 1 from games_seat earlier where earlier.player_id = player.id
                              and earlier.power_id = power.id and earlier.id < seat.id)
    """
    for row in seen.rows(query, facts["seat"]):
        raise Broken(f"{row['name']} took {row['power']} in {row['game']}, and nobody let them in")
