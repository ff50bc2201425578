"""SAME: the orders of the last movement phase once more."""

from __future__ import annotations

import dataclasses

from games.queries.orders.repeated_orders import orders_again
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import SAME, Call
from mailer.commands.player.ordering.orders import Orders
from mailer.commands.receipt import Receipt
from mailer.commands.seats import NOTHING_TO_ORDER, require_not_over, seat_and_phase
from mailer.identity.senders import Sender
from mailer.reading.quotes import Line


class Same(PlayerCommand):
    name = SAME
    usage = "SAME"
    summary = "order again what you ordered in the last movement phase"
    help = (
        "Each unit that has stayed in its place gets the order it had in the last movement phase, "
        "in place of whatever you have sent for this one. Units that have moved get none: order "
        "them in the same mail. Next to orders, SAME means all other units."
    )
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat, phase = seat_and_phase(sender)
        require_not_over(phase.game, NOTHING_TO_ORDER)
        orders = orders_again(phase, seat.power)
        lines = tuple(Line(call.number, order) for order in orders)
        return Orders().run(dataclasses.replace(call, lines=lines), sender, arrival)
