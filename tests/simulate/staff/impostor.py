"""Somebody who would like to run games that are not theirs: as themselves, or in the GM's name."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.simulate.agenda import Agenda
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.writers import GM, GMS, Draft, Writer
from tests.simulate.staff.game_master import FORGED

TRIES = (0, 2, 5)
"""How often in a seed."""
WITHIN = 20.0
"""Days in which they do."""
WISHES = (
    "EXTEND 24h because I say so",
    "PAUSE because I need time",
    "PROCESS because it takes too long",
    "VACATE {} because they are too strong",
)


@dataclass
class Impostor:
    """Writes as a player who does not run the game, or forges the GM's address."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    people: Mapping[str, Writer]
    variants: Mapping[str, str]

    def plan(self) -> None:
        """Have somebody try it on some days."""
        for _ in range(self.chance.choice(TRIES)):
            self.agenda.after(self.chance.random() * WITHIN * 86400, self.try_it)

    def try_it(self) -> None:
        """Write what only a GM may write."""
        game, wish = self.chance.choice(self._games()), self.chance.choice(WISHES)
        self._write(game, wish.format("France"), is_forged=self.chance.random() < 0.5)

    def forge(self) -> None:
        """Write something in the GM's name."""
        self._write(self._games()[-1], WISHES[0], is_forged=True)

    def _games(self) -> list[str]:
        """The games that are there: whoever runs another will have made it."""
        made = {row["name"] for row in self.carrier.seen.rows("select name from games_game")}
        return sorted(made.intersection(self.variants))

    def _strangers(self, game: str) -> list[Writer]:
        """Those who do not run this game; whoever makes one by mail may be its GM."""
        seen = self.carrier.seen
        gms = seen.masters(game).union(GMS)
        return [one for one in self.people.values() if not gms & seen.addresses_of(one.address)]

    def _write(self, game: str, wish: str, *, is_forged: bool) -> None:
        writer = self.chance.choice(self._strangers(game))
        letter = writer.written(
            None, f"GM {game}\n{wish}", game=game, is_wrong=True, is_forged=is_forged
        )
        if is_forged:
            letter = replace(letter, writer=GM, message_id=FORGED + letter.message_id[1:])
        self.carrier.think([Draft(dt.timedelta(0), letter)])
