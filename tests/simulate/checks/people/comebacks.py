"""A ban outlives its player's data: who was banned and erased is banned when they come back."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.people.oblivion import Oblivion


@dataclass
class Comebacks:
    """All accounts, and which of them have an address that somebody else had who was erased."""

    seen: Evidence
    oblivion: Oblivion
    _known: set[int] = field(default_factory=set)

    def look(self) -> None:
        """Check the accounts that have a confirmed address since the last step. Raises Broken."""
        query = """
            select address.player_id, address.email, player.banned_at
              from games_address address join games_player player on player.id = player_id
             where confirmed_at is not null order by address.id
        """
        for row in self.seen.rows(query):
            if row["player_id"] in self._known:
                continue
            self._known.add(row["player_id"])
            if not row["banned_at"] and self._was_banned(row["email"]):
                raise Broken(f"{row['email']} was banned and erased, is back, and may play")

    def restored(self) -> None:
        """Take everybody as they are: the server has gone back to an earlier state."""
        query = "select distinct player_id from games_address where confirmed_at is not null"
        self._known = {row["player_id"] for row in self.seen.rows(query)}

    def _was_banned(self, email: str) -> bool:
        query = "select 1 from games_player where id = ? and banned_at is not null"
        before = [one.player for one in self.oblivion.gone.values() if email in one.emails]
        return any(self.seen.rows(query, player) for player in before)
