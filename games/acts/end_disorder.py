"""End a power's civil disorder."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group
from games.acts.parameters import Why
from games.acts.powers import in_disorder, which_power
from games.acts.sentences import reason_read, who_is_told
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.players.seats import running_seat
from games.services.common import power_named
from games.services.ordering.disorder import disorder_end


@dataclass(frozen=True, kw_only=True)
class Parameters:
    power: Annotated[str, which_power(in_disorder)]
    why: Why


class EndDisorder(GameAct[Parameters]):
    name = "end_disorder"
    title = "End civil disorder"
    help = "Take a power's orders again, and wait for them."
    group = Group.SEATS
    undo = "“Declare civil disorder” brings it back."
    parameters = Parameters

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if no power is in disorder."""
        return "" if in_disorder(subject) else f"No power in {subject.name} is in civil disorder."

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        seat = running_seat(power_named(subject, given.power))
        what = (
            f"{seat.player.name} plays it as before, and its seat is no longer open."
            if seat
            else "Its seat stays open: nobody plays it."
        )
        return [
            f"{given.power} is no longer in civil disorder.",
            what,
            who_is_told(subject, now),
            *reason_read(subject),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        power = power_named(subject, given.power)
        disorder_end(game=subject, power=power, why=given.why, by=by.name, now=now)
        return Done(f"The civil disorder of {power.name} in {subject.name} has ended.")
