"""Whoever helps a GM for a while: a deputy, whose time ends, or a co-GM, whom the GM removes.

What is promised: they run the game so long and no longer. What they write later is not done
(`running`), and they hear no more of the game (`handovers`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from games.models import CoGM, Game
from tests.simulate.machinery.carrier import Carrier
from tests.simulate.players.writers import CO_GM, Draft, Writer
from tests.simulate.some_days import OnSomeDays
from tests.simulate.staff.gm_pages import GmPages
from tests.simulate.wall_clocks import written

HOUR = 3600.0
WISHES = (
    "EXTEND 5h because I say so",
    "PAUSE because I need time",
    "PROCESS because it takes too long",
    "REMIND",
    "EXCUSE ALL because I say so",
)
ABOUT = (-120.0, -1.0, 0.0, 1.0, 120.0, 3 * HOUR)
"""So many seconds after the end of their time they write."""


@dataclass
class Deputies(OnSomeDays):
    """All of a seed; `pages` are those of the GM."""

    TRIES = (0, 0, 1, 2)
    WITHIN = 15.0

    carrier: Carrier
    people: Mapping[str, Writer]
    pages: GmPages

    def happen(self) -> None:
        """Have somebody help."""
        self.help()

    def help(self, *, hours: float = 0.0) -> None:
        """Let the co-GM run a game for some hours; they write until then, and afterwards."""
        game = Game.objects.filter(name=self.chance.choice(sorted(self.pages.variants))).first()
        if not game or not game.gm or game.gm.email == CO_GM:
            return
        if CoGM.objects.filter(game=game, user__email=CO_GM, until=None).exists():
            return
        hours = hours or self.chance.uniform(6, 60)
        until = self.agenda.clock.now() + dt.timedelta(hours=hours)
        is_deputy = self.chance.random() < 0.6
        given = {"email": CO_GM, "to": written(until, game.timezone) if is_deputy else ""}
        if not self.pages.on_page(game, "add_co_gm", given):
            return
        end = until.replace(second=0, microsecond=0)
        if not is_deputy:
            self.agenda.at(end, partial(self._remove, game.pk))
        for _ in range(3):
            after = dt.timedelta(seconds=self.chance.choice(ABOUT))
            self.agenda.at(end + after, partial(self._write, game.name))

    def _remove(self, key: int) -> None:
        row = CoGM.objects.filter(game=key, user__email=CO_GM, until=None).first()
        if row and row.game.gm:
            self.pages.on_page(row.game, "remove_co_gm", {"who": str(row.pk)})

    def _write(self, game: str) -> None:
        text = f"GM {game}\n{self.chance.choice(WISHES)}"
        letter = self.people[CO_GM].written(None, text, game=game)
        self.carrier.think([Draft(dt.timedelta(0), letter, is_prompt=True)])
