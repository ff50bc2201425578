"""HOLD ALL: every unit holds, by an order of its own."""

from __future__ import annotations

import dataclasses
import re

from games.errors import WrongState
from games.queries.orders.current_orders import duty
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import HOLD, Call, Takes
from mailer.commands.player.ordering.orders import Orders
from mailer.commands.receipt import Receipt
from mailer.commands.seats import NOTHING_TO_ORDER, phase_title, require_not_over, seat_and_phase
from mailer.identity.senders import Sender
from mailer.reading.quotes import Line


class Hold(PlayerCommand):
    name = HOLD
    usage = "HOLD ALL"
    summary = "have every unit of yours hold"
    help = (
        "Orders all your units to hold, in place of whatever you sent before. Next to orders in "
        "the same mail, it means all other units. The game then need not wait for you. It works in "
        "movement phases only."
    )
    takes = Takes.SOMETHING
    argument = re.compile(r"all[.!]*", re.IGNORECASE)
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, phase = seat_and_phase(sender)
        require_not_over(phase.game, NOTHING_TO_ORDER)
        decisions = duty(phase, seat.power.name)
        if decisions.step != "M":
            raise WrongState(f"Units cannot hold in {phase_title(phase)}.")
        lines = tuple(Line(call.number, f"{unit} Holds") for unit in decisions.units)
        return Orders().run(dataclasses.replace(call, lines=lines), sender, arrival)
