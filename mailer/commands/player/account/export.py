"""EXPORT: everything we keep about a player, mailed to them."""

from __future__ import annotations

import re

from games.services.accounts.own_data import own_data_ask
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.own_settings.told_of_addresses import require_settled
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender

_UNSETTLED = (
    "So that nobody else can get your data, we send it elsewhere only after {until}. To get it "
    "now, at your old address, write SET RECORD {former}, and EXPORT again."
)


class Export(PlayerCommand):
    name = "export"
    usage = "EXPORT"
    summary = "get all that the server keeps about you, as a file"
    help = (
        "We mail you one file with your settings, your games with your orders, press and votes, "
        "your file with the moderators, and every mail from you and to you. It goes to your "
        "address of record and nowhere else, once a day at most, and not within a week of SET "
        "RECORD to another address. What other players wrote to each other is not in it, nor what "
        "the moderators noted for each other: to get that, write MODERATOR. MY DATA says the same."
    )
    takes = Takes.MAYBE
    argument = re.compile(r"((all )?(of )?(my |the )?data)?[ .!]*", re.IGNORECASE)
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        require_settled(player, _UNSETTLED, arrival.now)
        own_data_ask(player=player, now=arrival.now)
        return Receipt(
            title="Your data",
            text=f"All that we keep about you comes to {player.address} within a minute, as a file "
            "in a mail of its own. Keep it to yourself.",
            subject="Your data is on its way",
        )
