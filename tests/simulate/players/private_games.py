"""Games for friends: made by mail with PRIVATE, joined by a code that their founder passes on.

Others hear the name, as one does, and try to get in without the code, or with a wrong one.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from diplomacy_server.demo.reading import read_mail
from tests.simulate.agenda import Agenda
from tests.simulate.checks.people.circles import Circle, Circles
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.players.people import Player
from tests.simulate.players.writers import Draft
from tests.simulate.tables import powers_of

MADE = (0, 1, 1, 2)
"""How many such games a seed has."""
WITHIN = 6.0
"""Days in which they are made."""
HOUR = dt.timedelta(hours=1)
PRESETS = ("steady", "weekly", "daily")
VARIANTS = ("france_austria", "germany_italy", "hundred")
CODE = re.compile(r"people who know its code, (\w+), can join")
INVITES = 0.5
"""How often a founder who runs the game invites somebody by their address."""


@dataclass
class PrivateGames:
    """Who makes such games, and who tries to join them; `variants` has what is played in each."""

    chance: random.Random
    agenda: Agenda
    carrier: Carrier
    players: Sequence[Player]
    variants: MutableMapping[str, str]
    circles: Circles
    _waiting: dict[str, tuple[Player, list[Player]]] = field(default_factory=dict)
    """By game, its founder, who has no code yet, and the friends who will get it."""

    def plan(self) -> None:
        """Have somebody make such a game on a day of the first ones."""
        for number in range(1, self.chance.choice(MADE) + 1):
            seconds = self.chance.random() * WITHIN * 86400
            self.agenda.after(seconds, partial(self.make, f"amiens{number}"))

    def make(self, name: str) -> None:
        """Have somebody make a game of this name, and others try to get in."""
        variant, preset = self.chance.choice(VARIANTS), self.chance.choice(PRESETS)
        self.variants[name] = variant
        founder, *others = self.chance.sample(self.players, len(self.players))
        friends = others[: len(powers_of(variant))]
        self._waiting[name] = founder, friends
        circle = Circle({one.address for one in (founder, *friends)})
        self.circles.by_game[name] = circle
        is_gm = self.chance.random() < 0.5
        text = f"CREATE {name} {preset} {variant} PRIVATE{' GM' if is_gm else ''}"
        self.carrier.think([Draft(dt.timedelta(0), founder.written(None, text))])
        strangers = others[len(friends) :]
        for stranger in strangers:
            self.carrier.think(self._tries(stranger, name))
        if is_gm and self.chance.random() < INVITES:
            self.carrier.think(self._invites(founder, strangers[0], name, circle))

    def taken(self, taken: RelayedMail) -> None:
        """See whether a mail tells a founder the code; then their friends have it, too."""
        for name, (founder, friends) in list(self._waiting.items()):
            if taken.recipient != founder.address:
                continue
            text = read_mail(taken.raw).flowing
            code = CODE.search(text)
            if code and f"Your game {name} is ready" in text:
                del self._waiting[name]
                for friend in (founder, *friends):
                    self.carrier.think(self._joins(friend, name, code[1]))

    def _joins(self, player: Player, name: str, code: str) -> Iterator[Draft]:
        powers = powers_of(self.variants[name])
        wishes = self.chance.sample(powers, self.chance.randint(0, len(powers)))
        text = f"JOIN {name} {code} {'; '.join(wishes)}".strip()
        yield Draft(HOUR * self.chance.uniform(0, 30), player.written(None, text, game=name))

    def _tries(self, player: Player, name: str) -> Iterator[Draft]:
        """Somebody who has heard of it, and somebody who only looks for a game."""
        texts = [f"JOIN {name}", f"JOIN {name} abcdefgh", f"OBSERVE {name}", "LIST", "LIST"]
        for text in self.chance.sample(texts, 2):
            yield Draft(HOUR * self.chance.uniform(0, 40), player.written(None, text))

    def _invites(
        self, founder: Player, guest: Player, name: str, circle: Circle
    ) -> Iterator[Draft]:
        circle.members.add(guest.address)
        text = f"GM {name}\nINVITE {guest.address}"
        yield Draft(HOUR * 2, founder.written(None, text, game=name))
        yield Draft(HOUR * 10, guest.written(None, f"JOIN {name}", game=name))
