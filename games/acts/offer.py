"""Offer an open seat to those on the standby list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group
from games.acts.powers import open_to_takers, which_power
from games.events import SeatOffered
from games.models import Game, Standby
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import counted
from games.services.common import power_named
from games.services.seating.standby import OFFER_LASTS, seat_offer
from games.timing.durations import duration_text

UNINVITED = {
    Game.Entry.INVITED: "The game is by invitation only. The server itself offers its seats only "
    "to people who were invited; you offer this one to the others as well.",
    Game.Entry.APPROVAL: "In this game the GM lets people in, so the server itself offers its "
    "seats to nobody else. Whoever accepts this offer gets the seat.",
}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    power: Annotated[str, which_power(open_to_takers)]


class Offer(GameAct[Parameters]):
    name = "offer"
    title = "Offer a seat"
    help = "Offer an open seat to those on the standby list who have not declined it."
    group = Group.SEATS
    undo = "An offer cannot be taken back. It runs out, or ends when somebody has the seat."
    parameters = Parameters

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say so if no seat is open."""
        return "" if open_to_takers(subject) else f"No seat in {subject.name} is open."

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        waiting = Standby.objects.filter(until=None).count()
        warning = UNINVITED.get(Game.Entry(subject.entry))
        return [
            *([warning] if warning else []),
            f"{given.power} is offered to players who may take it: "
            f"{waiting} {'player is' if waiting == 1 else 'players are'} on the standby list.",
            f"They are mailed and have {duration_text(OFFER_LASTS)}. The first to accept gets it.",
            "Nobody else is told.",
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        power = power_named(subject, given.power)
        event = seat_offer(game=subject, power=power, by=by.name, now=now)
        whom = counted(SeatOffered.of(event).offers, "player")
        return Done(f"{power.name} is offered to {whom}.")
