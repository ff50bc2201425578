"""End a suspension or a ban."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.admin.acting import Done, Typed
from games.admin.players.base import PlayerAct, told
from games.conduct import barred
from games.models import Player
from games.services.conduct import player_lift


class Lift(PlayerAct):
    name = "lift"
    label = "Let play again"
    what = "End the player's suspension or ban."

    def offered(self, subject: Player, now: dt.datetime) -> bool:
        """There has to be something to end."""
        return bool(barred(subject, now=now))

    def foresee(self, player: Player, typed: Typed, now: dt.datetime) -> Sequence[str]:
        return [
            f"{player.name} can join games and take over seats again. Lost seats do not come back.",
            told(player),
        ]

    def do(self, player: Player, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        player_lift(player=player, why=typed["why"], by=by, now=now)
        return Done(f"{player.name} may play again.")
