"""BROADCAST: a message to everybody in the game."""

from __future__ import annotations

import re

from games.queries.parsing.press_audience import read_audience
from games.queries.players.seats import power_names
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, Takes
from mailer.commands.lines.press_heading import BROADCAST_ARGUMENT, read_heading
from mailer.commands.player.messages.orders_in_press import require_no_own_set
from mailer.commands.player.messages.press import (
    BELOW_PRESS,
    fake_of,
    or_not_sent,
    send,
    with_stray_order,
)
from mailer.commands.receipt import Receipt
from mailer.commands.seats import seat_of
from mailer.identity.senders import Sender
from mailer.letter import text_of


class Broadcast(PlayerCommand):
    name = "broadcast"
    usage = "BROADCAST"
    summary = "write to everybody in the game"
    help = (
        "Write BROADCAST and your text on the lines below it; END BROADCAST closes it. All powers "
        "and the game master get it, and so do those who observe the game.\n"
        "Example: BROADCAST\n"
        "Example: BROADCAST GREY (does not say which power wrote it, in games that have such "
        "press)\n"
        "Example: BROADCAST FAKE FROM Turkey (says that Turkey wrote it, in games that have fake "
        "press)"
    )
    takes = Takes.MAYBE
    argument = re.compile(BROADCAST_ARGUMENT, re.IGNORECASE)
    has_body = True
    prose = True
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        said, text = read_heading(f"TO ALL {call.argument}"), text_of(call.lines)

        def passed_on() -> Receipt:
            seat = seat_of(sender)
            require_no_own_set(call, seat)
            to = read_audience("all", power_names(seat.power.game), seat.power.name)
            fake = fake_of(said, seat)
            return send(sender, to, text, arrival, grey=said.grey, fake=fake)

        receipt = or_not_sent(passed_on, sender, "everybody", call)
        return with_stray_order(receipt, call, BELOW_PRESS)
