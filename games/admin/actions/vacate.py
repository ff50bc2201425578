"""Take a power from its player and open the seat."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, OfPower, Reason, told
from games.models import Game
from games.services.disorder import seat_holder
from games.services.seats import seat_vacate


class Held(OfPower, Reason):
    def choose(self, game: Game, players: Mapping[str, str]) -> Sequence[str]:
        """Those that somebody plays."""
        return list(players)


class Vacate(Action):
    name = "vacate"
    label = "Open a seat"
    what = "Take a power from its player, and offer the seat to others."
    group = Group.SEATS
    questions = Held
    for_power = True

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        power = typed["power"]
        player = seat_holder(power).player.name
        return [
            f"{player} plays {power.name} no longer, and cannot come back by himself.",
            f"Whoever is free may take over {power.name}; it is offered to those on the standby "
            "list whom it fits. Until then nobody waits for it.",
            told(game),
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        power = typed["power"]
        seat_vacate(game=game, power=power, why=typed["why"], by=by, now=now)
        return Done(f"The seat of {power.name} in {game.name} is open.")
