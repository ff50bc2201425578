"""Games that players make by mail and join by mail, having heard of them from each other."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial

from tests.simulate.agenda import Agenda
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.people import Player
from tests.simulate.players.writers import Draft
from tests.simulate.tables import powers_of

FOUNDED = (0, 0, 1, 2)
"""How many games players make in a seed."""
WITHIN = 8.0
"""Days in which they do."""
HOUR = dt.timedelta(hours=1)
PRESETS = ("steady", "weekly", "daily", "daily", "gunboat", "gunboat", "fog")
VARIANTS = ("standard", "hundred", "france_austria", "germany_italy")
GIVES_UP = 0.15
"""How often somebody leaves before the start, or joins without having heard of the game yet."""


@dataclass
class Foundings:
    """Who makes games, and who joins them; `variants` has what is played in each."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    players: Sequence[Player]
    variants: MutableMapping[str, str]

    def plan(self) -> None:
        """Have somebody make a game on a day of the first ones."""
        for number in range(1, self.chance.choice(FOUNDED) + 1):
            seconds = self.chance.random() * WITHIN * 86400
            self.agenda.after(seconds, partial(self.found, f"arras{number}"))

    def found(self, name: str) -> None:
        """Have somebody make a game of this name, and others join it."""
        variant = self.chance.choice(VARIANTS)
        self.variants[name] = variant
        founder = self.chance.choice(self.players)
        preset = self.chance.choice(PRESETS)
        text = f"CREATE {name} {preset} {'' if variant == 'standard' else variant}".strip()
        self.carrier.think([Draft(dt.timedelta(0), founder.written(None, text))])
        powers = powers_of(variant)
        for player in self.chance.sample(self.players, min(len(powers) + 2, len(self.players))):
            self.carrier.think(self._joins(player, name, powers))

    def _joins(self, player: Player, name: str, powers: Sequence[str]) -> Iterator[Draft]:
        wishes = self.chance.sample(powers, self.chance.randint(0, len(powers)))
        text = f"JOIN {name} {'; '.join(wishes)}".strip()
        after = HOUR * self.chance.uniform(0, 40)
        yield Draft(after, player.written(None, text, game=name))
        if self.chance.random() < GIVES_UP:
            later = after + HOUR * self.chance.uniform(0, 40)
            yield Draft(later, player.written(None, f"LEAVE {name}", game=name))
