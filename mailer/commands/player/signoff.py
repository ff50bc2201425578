"""SIGNOFF: the line that ends what we read, for people who know it from other servers."""

from __future__ import annotations

from games.queries.reports.wording import counted
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import SIGNOFF, Call
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender


class Signoff(PlayerCommand):
    name = SIGNOFF
    aliases = ("end", "quit")
    usage = "SIGNOFF"
    summary = "nothing below this line is read"
    help = "We stop reading your mail there: nothing below it is read. You need not write it."
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        number = len(call.lines)
        was = "was" if number == 1 else "were"
        text = f"{counted(number, 'line')} below SIGNOFF {was} not read."
        return Receipt(title="Below SIGNOFF", text=text)
