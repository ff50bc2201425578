"""A game that its GM handed over: whoever no longer runs it hears of nothing that happens in it,
and never plays in it."""

from __future__ import annotations

import datetime as dt
import sqlite3
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.players.writers import GMS


@dataclass
class Handovers:
    """All games that were handed over; `former` has each game with its GM before, and when."""

    seen: Evidence
    former: list[tuple[int, str, dt.datetime]] = field(default_factory=list)

    def event(self, event: sqlite3.Row) -> None:
        """Check that nobody who was the GM has a seat. Raises Broken."""
        if event["kind"] not in ("seat_taken", "game_started"):
            return
        query = """
            select power.name from games_seat seat join games_power power on power.id = power_id
              join games_address address on address.player_id = seat.player_id
             where game_id = ? and until is null and email = ?
        """
        for game, email, at in self.former:
            if game == event["game_id"] and self._is_known(game, at):
                for row in self.seen.rows(query, game, email):
                    raise Broken(f"{email} has run the game, and plays {row['name']} in it")

    def _is_known(self, game: int, at: dt.datetime) -> bool:
        """Whether the server knows it: it may have gone back to an earlier state."""
        query = "select created_at from games_event where game_id = ? and kind = 'game_handed_over'"
        return any(time_of(row["created_at"]) == at for row in self.seen.rows(query, game))

    def mail(self, mail: sqlite3.Row) -> None:
        """Check that a notice for GMs goes to those who ran the game when it happened, and to
        whoever reads in it that they no longer do. Raises Broken."""
        if mail["recipient"] not in GMS or mail["event_id"] is None:
            return
        query = """
            select 1 from games_event event join games_game game on game.id = event.game_id
              left join games_cogm helper on helper.game_id = game.id
              join auth_user on auth_user.id in (game.gm_id, helper.user_id)
             where event.id = ? and email = ? and (auth_user.id = game.gm_id
                or helper.until is null or helper.until > event.created_at)
            union select 1 from games_event event where id = ?
              and kind in ('game_handed_over', 'co_gm_removed')
        """
        event = mail["event_id"]
        if not self.seen.rows(query, event, mail["recipient"], event):
            what = f"{mail['subject']!r} ({mail['kind']})"
            raise Broken(f"{mail['recipient']} runs the game no longer, and reads {what}")
