"""A whole table that would end its game: all vote for it within hours, or all but one or two."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping
from dataclasses import dataclass

from tests.simulate.agenda import Agenda
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.people import Player
from tests.simulate.players.writers import Draft, Writer

TRIES = (0, 0, 1)
"""How often in a seed."""
FROM, WITHIN = 8.0, 40.0
"""Days on which they do: a game that ends early shows nothing more."""
HOURS = 3.0
OTHERWISE = ("VOTE NO", "", "VOTE WITHDRAW", "RESIGN {game}")
"""What one of them writes instead, or besides."""
STRAYS = 0.4
"""How often one of them does."""


@dataclass
class Agreements:
    """All that is agreed at a table; `people` have what they were last asked."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    people: Mapping[str, Writer]

    def plan(self) -> None:
        """Have a game end on a day."""
        for _ in range(self.chance.choice(TRIES)):
            days = self.chance.uniform(FROM, WITHIN)
            self.agenda.after(days * 86400, self.agree)

    def agree(self, game: str = "", *, but: int = -1) -> None:
        """Have all who play vote for the same; `but` so many, or now and then one."""
        at_table = self._at_table(game)
        if not at_table:
            return
        game = game or self.chance.choice(sorted({one for _, one in at_table}))
        players = [player for player, where in at_table if where == game]
        silent = but if but >= 0 else 0
        wish = "VOTE DRAW"
        if self.chance.random() < 0.4:
            wish = f"VOTE CONCEDE TO {self._power(self.chance.choice(players), game)}"
        for player in players[silent:]:
            text = wish.replace("CONCEDE TO " + self._power(player, game), "YES")
            self._write(player, game, text, self.chance.uniform(0, HOURS))
        if but < 0 and self.chance.random() < STRAYS:
            text = self.chance.choice(OTHERWISE).format(game=game)
            if text:
                self._write(self.chance.choice(players), game, text, HOURS * self.chance.random())

    def _at_table(self, game: str) -> list[tuple[Player, str]]:
        return [
            (one, where)
            for one in self.people.values()
            if isinstance(one, Player)
            for where in sorted(one.plays)
            if game in ("", where)
        ]

    def _power(self, player: Player, game: str) -> str:
        return player.plays[game][1].power

    def _write(self, player: Player, game: str, text: str, hours: float) -> None:
        letter = player.written(player.plays[game][0], text)
        self.carrier.think([Draft(dt.timedelta(hours=hours), letter)])
