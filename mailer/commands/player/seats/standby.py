"""STANDBY: a player is willing to take over seats that others leave."""

from __future__ import annotations

import re

from games.services.seating.standby import standby_join, standby_leave
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender

_OFF = {"off", "no", "stop", "end"}


class StandBy(PlayerCommand):
    name = "standby"
    usage = "STANDBY [number | OFF]"
    summary = "be offered seats whose players have left"
    help = (
        "Puts you on the list of players we offer open seats to, by mail. You can take or decline "
        "each one; the first to say yes plays. A number says how many such seats you would play at "
        "the same time; without it, one. STANDBY OFF takes you off the list.\n"
        "Example: STANDBY 2"
    )
    takes = Takes.MAYBE
    argument = re.compile(r"(\d{1,3}|off|no|stop|end)?[ .!]*", re.IGNORECASE)
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player, word = player_of(sender), call.argument.strip(" .!").lower()
        if word in _OFF:
            standby_leave(player=player, now=arrival.now)
            return Receipt(
                title="You are off the standby list",
                text="You are no longer on the standby list. The games you play go on.",
                subject="You are off the standby list",
            )
        place = standby_join(player=player, at_most=int(word or 1), now=arrival.now)
        seats = "one seat" if place.at_most == 1 else f"{place.at_most} seats"
        return Receipt(
            title="You are on the standby list",
            text=(
                "You are on the standby list. When a seat is open, we offer it to you by mail, "
                f"until you have taken over {seats}. If seats are open now, we offer them to you "
                "at once; LIST shows them, too.\n"
                "\n"
                "To change the number, write for example STANDBY 2; to leave the list, STANDBY "
                "OFF."
            ),
            subject="You are on the standby list",
        )
