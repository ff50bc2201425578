"""Two who run a game do the opposite in the same second: both saw the same page.

What is promised: one of them does it, and the other reads that the game has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User

from games.acts import GAME_ACTS
from games.models import Game
from tests.simulate.checks.evidence import Broken
from tests.simulate.players.writers import GMS
from tests.simulate.some_days import OnSomeDays
from tests.simulate.staff.admin_pages import is_done
from tests.simulate.staff.gm_pages import GmPages
from tests.simulate.staff.moderator import MODERATOR

WHY = "of what was said"
WISHES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("extend", {"later": timedelta(hours=24), "why": WHY}),
    ("pause", {"length": timedelta(hours=9), "why": WHY}),
    ("process_now", {"why": WHY}),
)


@dataclass
class Opposites(OnSomeDays):
    """All of a seed; `pages` are those of the GM."""

    TRIES = (0, 1, 2)
    WITHIN = 25.0

    pages: GmPages

    def happen(self) -> None:
        """Have the GM and a moderator do two things to one game. Raises Broken."""
        games = Game.objects.filter(status=Game.Status.ACTIVE, gm__email__in=GMS).order_by("pk")
        game = games.select_related("gm").first()
        moderator = User.objects.filter(email=MODERATOR).first()
        if game is None or game.gm is None or moderator is None:
            return
        now, wishes = self.agenda.clock.shown(), self.chance.sample(WISHES, 2)
        self.pages.running.on_page.add((game.pk, now))
        stamps = [GAME_ACTS[name].stamp(game) for name, _ in wishes]
        done = []
        for (name, given), stamp, by in zip(wishes, stamps, (game.gm, moderator), strict=True):
            if is_done(GAME_ACTS[name], game, given, by=by, now=now, expected=stamp):
                done.append(name)
            game.refresh_from_db()
        if len(done) > 1:
            raise Broken(f"{' and '.join(done)} of {game.name}, from pages that showed the same")
