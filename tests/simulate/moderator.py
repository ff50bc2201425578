"""A moderator, who deals with players by the acts that the admin's pages offer."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from games.acts import PLAYER_ACTS
from games.errors import GameError
from games.models import Player
from tests.simulate.people import DOMAIN

MODERATOR = f"mod@{DOMAIN}"
WHY = "That was not fair."
ACTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("mute", {"length": dt.timedelta(days=2), "why": WHY}),
    ("unmute", {"why": WHY}),
    ("pause_mail", {"why": WHY}),
    ("resume_mail", {"why": WHY}),
    ("suspend", {"length": dt.timedelta(days=3), "why": WHY}),
    ("lift", {"why": WHY}),
    ("note", {"text": "They write a lot."}),
    ("write", {"text": "Please be kind."}),
)


@dataclass
class Moderator:
    """The only one."""

    chance: random.Random

    def deal(self, now: dt.datetime) -> None:
        """Do something about somebody."""
        name, given = self.chance.choice(ACTS)
        self._do(name, given, self.chance.choice(list(Player.objects.order_by("pk"))), now)

    def make_peace(self, now: dt.datetime) -> None:
        """Let everybody have their mail."""
        for player in Player.objects.exclude(mail_paused_at=None):
            self._do("resume_mail", {"why": WHY}, player, now)

    def _do(self, name: str, given: dict[str, Any], player: Player, now: dt.datetime) -> None:
        act, user = PLAYER_ACTS[name], User.objects.get(email=MODERATOR)
        parameters = act.parameters(**given)
        try:
            act.require(user, player, now)
            act.foresee(player, parameters, by=user.username, now=now)
            act.perform(player, parameters, by=user.username, now=now)
        except GameError:
            """It cannot be done now, and the page says why."""
