"""Take a power from its player and open the seat."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, phase_of
from games.acts.parameters import Why
from games.acts.powers import powers_played, which_power
from games.acts.sentences import (
    if_over,
    reason_read,
    title_of,
    votes_without,
    who_is_told,
    who_takes_over,
)
from games.models import Game
from games.queries.access.staff_names import Actor
from games.services.common import power_named
from games.services.ordering.disorder import seat_holder
from games.services.seating.seats import keeps_open, seat_vacate


@dataclass(frozen=True, kw_only=True)
class Parameters:
    power: Annotated[str, which_power(powers_played)]
    why: Why


class Vacate(GameAct[Parameters]):
    name = "vacate"
    title = "Open a seat"
    help = "Take a power from its player, and offer the seat to others."
    group = Group.SEATS
    undo = "“Seat a player” gives the power back to its player, but not their orders."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        power, phase = power_named(subject, given.power), phase_of(subject)
        player = seat_holder(power).player.name
        stays = (
            f"Until then {title_of(phase)} stays open until its deadline, even when all orders "
            "are in."
        )
        return [
            f"{player} no longer plays {power.name}, and cannot take it back.",
            who_takes_over(subject, power.name),
            f"What was ordered for {power.name} in {title_of(phase)} stands until then.",
            *([stays] if keeps_open(phase, power) else []),
            *votes_without(subject, power.name),
            who_is_told(subject, now),
            *reason_read(subject),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        power = power_named(subject, given.power)
        seat_vacate(game=subject, power=power, why=given.why, by=by.name, now=now)
        return Done(f"The seat of {power.name} in {subject.name} is open.{if_over(subject)}")
