"""REFUSE: the player's answer to our question about a mail that was not theirs."""

from __future__ import annotations

from contextlib import suppress

from games.errors import BadInput, WrongState
from mailer.commands import player
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call
from mailer.commands.player.consent.confirm import LEFT_UNDONE, how_to_vote, wished_in
from mailer.commands.receipt import Receipt
from mailer.commands.wishes.votes import vote_meant
from mailer.commands.yes_and_no import WORDS_FOR_NO
from mailer.identity.senders import FurtherAddress, Newcomer, Registered, Sender, Stranger

NOT_INTERESTED = Receipt(
    "You need not do anything",
    "That is fine, and you need not do anything: nobody is registered here under the address you "
    "wrote from, and we write to it only to answer mails that come from it. If you change your "
    "mind, write REGISTER and your name.",
    subject="You need not do anything",
)
"""The answer to a stranger who says no, most likely to an invitation."""


class Refuse(PlayerCommand):
    name = "refuse"
    aliases = WORDS_FOR_NO
    usage = "REFUSE"
    summary = "say no to a question of ours: the mail was not yours"
    help = (
        "When we ask whether a mail was yours and it was not, reply REFUSE. Nothing of that mail "
        "will be done."
    )

    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if isinstance(sender, Newcomer | FurtherAddress):
            return Receipt(
                title="Not registered",
                text=f"Thank you. {sender.address.email} is not registered.",
                subject="Not registered",
            )
        if isinstance(sender, Stranger) and sender.gm is None:
            return NOT_INTERESTED
        if isinstance(sender, Registered) and (dropped := _decline_offer(arrival, sender)):
            return dropped
        if vote := vote_meant("no", arrival, sender):
            return player.COMMANDS[vote.command].run(vote, sender, arrival)
        raise WrongState(
            f"There is no question to say no to, so nothing has changed.{how_to_vote(sender, 'NO')}"
        )


def _decline_offer(arrival: Arrival, sender: Registered) -> Receipt | None:
    """The receipt for a no to an offer in the mail that this one answers; None if it offered
    nothing."""
    with suppress(BadInput):  # several wait, and we cannot tell which the writer means
        if wished := wished_in(arrival, sender):
            line = wished.on_yes.partition("\n")[0]
            wished.on_yes = ""
            wished.save(update_fields=["on_yes"])
            return Receipt("Left undone", f"{LEFT_UNDONE}“{line}” is not done.")
    return None
