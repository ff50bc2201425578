"""A moderator sees that two accounts are one person's, and merges them.

What is promised: the person has all powers that both had, all addresses, and what was sent for open
phases counts; their mail goes where that of the account went that is kept.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from games.models import Player
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.players.writers import AS_PLAYERS
from tests.simulate.some_days import OnSomeDays
from tests.simulate.staff.moderator import WHY, Moderator

TOGETHER = """
    select 1 from games_seat mine join games_power power on power.id = mine.power_id
      join games_game game on game.id = power.game_id and game.status != 'finished'
      join games_power other on other.game_id = game.id
      join games_seat theirs on theirs.power_id = other.id
     where mine.until is null and theirs.until is null and mine.player_id = ?
       and theirs.player_id = ?
"""
HAD = {
    "the seat": "select id from games_seat where player_id = ? and until is null",
    "the address": "select email from games_address where player_id = ?",
    "the orders": "select id from games_orderset where counts and seat_id in"
    " (select id from games_seat where player_id = ?)",
    "the ban, mute or note": "select id from games_conduct where player_id = ?",
    "the letter": "select id from games_press where seat_id in"
    " (select id from games_seat where player_id = ?)",
}


@dataclass
class Merges(OnSomeDays):
    """All merges of a seed that somebody means to make."""

    TRIES = (0, 0, 1, 2)
    WITHIN = 25.0

    moderator: Moderator
    seen: Evidence

    def happen(self) -> None:
        """Merge two accounts. Raises Broken."""
        self.merge()

    def merge(self) -> None:
        """Merge two accounts that do not play against each other. Raises Broken."""
        there = Player.objects.filter(merged_into=None, erased_at=None, banned_at=None)
        players = list(there.exclude(name__in=AS_PLAYERS).order_by("pk"))
        fit = [two for two in itertools.permutations(players, 2) if not self._meet(*two)]
        playing = [two for two in fit if self._had(two[1].pk)["the seat"]]
        if fit:
            self._merge(*self.chance.choice(playing or fit))

    def _meet(self, one: Player, other: Player) -> bool:
        return bool(self.seen.rows(TOGETHER, one.pk, other.pk))

    def _merge(self, kept: Player, other: Player) -> None:
        email = other.addresses.order_by("pk").values_list("email", flat=True).first()
        before, record = self._both(kept, other), self._record(kept)
        given = {"other": email or str(other.pk), "why": WHY}
        self.moderator.act("merge", given, kept, self.agenda.clock.shown())
        query = "select 1 from games_player where id = ? and merged_into_id = ?"
        if not self.seen.rows(query, other.pk, kept.pk):
            return
        after = self._had(kept.pk)
        for what, had in before.items():
            if lost := had - after[what]:
                raise Broken(f"{other.name} became {kept.name}, and {what} {lost} is gone")
        if self._record(kept) != record:
            raise Broken(f"{other.name} became {kept.name}, whose mail goes elsewhere since")

    def _both(self, one: Player, other: Player) -> dict[str, set[object]]:
        theirs = self._had(other.pk)
        return {what: had | theirs[what] for what, had in self._had(one.pk).items()}

    def _had(self, player: int) -> dict[str, set[object]]:
        return {
            what: {row[0] for row in self.seen.rows(query, player)} for what, query in HAD.items()
        }

    def _record(self, player: Player) -> list[str]:
        query = "select email from games_address where player_id = ? and of_record"
        return [row["email"] for row in self.seen.rows(query, player.pk)]
