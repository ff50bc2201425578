"""Declare a power in civil disorder."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, phase_of
from games.acts.parameters import Why
from games.acts.powers import not_in_disorder, which_power
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
from games.queries.orders.current_orders import current_lines
from games.queries.players.seats import running_seat
from games.services.common import power_named
from games.services.ordering.disorder import disorder_declare


@dataclass(frozen=True, kw_only=True)
class Parameters:
    power: Annotated[str, which_power(not_in_disorder)]
    why: Why


class Disorder(GameAct[Parameters]):
    name = "disorder"
    title = "Declare civil disorder"
    help = "Let a power's units hold, and do not wait for it until somebody plays it."
    group = Group.SEATS
    undo = "“End civil disorder” ends it; orders that no longer count have to be sent again."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        power = given.power
        seat = running_seat(power_named(subject, power))
        said = [
            f"{power} is in civil disorder: its units hold and may be supported, dislodged "
            "ones are disbanded, nothing is built.",
            f"{_falls_away(subject, power)} Nobody waits for it, neither for its orders nor for "
            "its vote.",
            f"Its seat is open. {who_takes_over(subject, power)}",
            *votes_without(subject, power),
        ]
        if seat:
            said += [
                f"{seat.player.name} is told first. Until somebody else has taken the seat, "
                "orders, READY or RETURN bring them back."
            ]
        return [*said, who_is_told(subject, now), *reason_read(subject)]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        power = power_named(subject, given.power)
        disorder_declare(game=subject, power=power, why=given.why, by=by.name, now=now)
        return Done(f"{power.name} in {subject.name} is in civil disorder.{if_over(subject)}")


def _falls_away(game: Game, power: str) -> str:
    """Say how many of the power's current orders no longer count."""
    phase = phase_of(game)
    lines = len(current_lines(phase, power_named(game, power)))
    if not lines:
        return f"Nothing was sent for it in {title_of(phase)}."
    orders = "1 order that was" if lines == 1 else f"{lines} orders that were"
    no = "longer counts" if lines == 1 else "longer count"
    return f"{orders[:1].upper()}{orders[1:]} sent for it in {title_of(phase)} no {no}."
