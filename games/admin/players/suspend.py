"""Suspend a player: no new seats for some time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.admin.acting import Done, Typed
from games.admin.base import moment
from games.admin.forms import LengthField
from games.admin.players.base import PlayerAct, Reason, told
from games.models import Player
from games.services.conduct import games_waiting, player_suspend


class ForHowLong(Reason):
    field_order = ["length", "why"]
    length = LengthField(label="For how long", initial="30d", help_text="30d, for example")


class Suspend(PlayerAct):
    name = "suspend"
    label = "Suspend"
    what = "Let the player take no seat for some time. What he plays goes on."
    questions = ForHowLong

    def offered(self, subject: Player, now: dt.datetime) -> bool:
        """Whoever is banned need not be suspended."""
        return subject.banned_at is None

    def foresee(self, player: Player, typed: Typed, now: dt.datetime) -> Sequence[str]:
        names = ", ".join(game.name for game in games_waiting(player))
        lost = f"A place in these games that have not started is lost: {names}."
        return [
            f"{player.name} can join no game, take over no seat and is offered none until "
            f"{moment(now + typed['length'])} UTC.",
            *([lost] if names else []),
            "Seats in games that are being played stay.",
            told(player),
        ]

    def do(self, player: Player, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        until = now + typed["length"]
        player_suspend(player=player, until=until, why=typed["why"], by=by, now=now)
        return Done(f"{player.name} is suspended until {moment(until)} UTC.")
