"""End a power's civil disorder."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, OfPower, Reason, told
from games.models import Game
from games.seats import running_seat
from games.services.disorder import disorder_end


class Disordered(OfPower, Reason):
    def choose(self, game: Game, players: Mapping[str, str]) -> Sequence[str]:
        """Those that are in civil disorder."""
        found = game.powers.exclude(disorder_since=None)
        return list(found.values_list("name", flat=True))


class EndDisorder(Action):
    name = "end_disorder"
    label = "End civil disorder"
    what = "Take a power's orders again, and wait for them."
    group = Group.SEATS
    questions = Disordered
    for_power = True

    def offered(self, subject: Game, now: dt.datetime) -> bool:
        """There has to be such a power."""
        return (
            super().offered(subject, now) and subject.powers.exclude(disorder_since=None).exists()
        )

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        power = typed["power"]
        seat = running_seat(power)
        what = (
            f"{seat.player.name} plays it as before, and its seat is open no longer."
            if seat
            else "Its seat stays open: nobody plays it."
        )
        return [f"{power.name} is in civil disorder no longer.", what, told(game)]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        power = typed["power"]
        disorder_end(game=game, power=power, why=typed["why"], by=by, now=now)
        return Done(f"The civil disorder of {power.name} in {game.name} has ended.")
