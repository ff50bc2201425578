"""An operator, or a GM where the game was made so, looks at what is secret before a deadline.

What is promised: all who play are told of it (`deadlines`), and of nobody's look otherwise.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.contrib.auth.models import User

from games.errors import GameError
from games.models import Game
from games.queries.access.disclosure import may_look
from games.queries.access.staff_names import Actor
from games.queries.lookup import open_phase
from games.services.moderation.looks import Secret, look
from tests.simulate.players.writers import DOMAIN
from tests.simulate.some_days import OnSomeDays

OPERATOR = f"operator@{DOMAIN}"


@dataclass
class Glimpses(OnSomeDays):
    """All looks of a seed."""

    TRIES = (0, 1, 2)
    WITHIN = 25.0

    def happen(self) -> None:
        """Have somebody look."""
        self.look()

    def look(self) -> None:
        """Look at the orders or the press of a game, if somebody may."""
        now = self.agenda.clock.shown()
        games = list(Game.objects.order_by("pk"))
        if games:
            self.look_at(self.chance.choice(games), now)

    def look_at(self, game: Game, now: dt.datetime, *, is_operator: bool = False) -> None:
        """Look at what is secret in this game."""
        user, phase = self._somebody(game, is_operator), open_phase(game)
        if user is None or phase is None or not may_look(user, game, now=now):
            return
        try:
            look(
                phase=phase,
                what=[self.chance.choice([Secret.ORDERS, Secret.PRESS, Secret.AHEAD])],
                powers=[],
                why="of a complaint",
                by=Actor("the GM" if user == game.gm else "the operator", user),
                now=now,
            )
        except GameError:
            return

    def _somebody(self, game: Game, is_operator: bool) -> User | None:
        if not is_operator and self.chance.random() < 0.5:
            return game.gm
        operator, _ = User.objects.get_or_create(
            username="operator",
            defaults={"email": OPERATOR, "is_staff": True, "is_superuser": True},
        )
        return operator
