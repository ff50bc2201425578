"""Ban a player from the server."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.admin.acting import Done, Typed
from games.admin.players.base import PlayerAct, told
from games.models import Player
from games.services.conduct import player_ban, seats_played


class Ban(PlayerAct):
    name = "ban"
    label = "Ban"
    what = "Let the player play no more, and open the seats he has to others."

    def offered(self, subject: Player, now: dt.datetime) -> bool:
        """Once is enough."""
        return subject.banned_at is None

    def foresee(self, player: Player, typed: Typed, now: dt.datetime) -> Sequence[str]:
        seats = [f"{seat.power.name} in {seat.power.game.name}" for seat in seats_played(player)]
        opened = f"These seats are opened, and offered to those who stand by: {', '.join(seats)}."
        return [
            f"{player.name} can join no game and take over no seat any more, until that is lifted.",
            *([opened] if seats else ["No seat is concerned."]),
            "The other players learn that the seats are open, but not why.",
            told(player),
        ]

    def do(self, player: Player, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        player_ban(player=player, why=typed["why"], by=by, now=now)
        return Done(f"{player.name} is banned.")
