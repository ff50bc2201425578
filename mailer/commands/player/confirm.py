"""CONFIRM, or YES: the word that says yes to a question of ours.

It stands on a line of its own: whatever else a reply says, a program may have written it that
answers for people who are away. Only to the question after REGISTER any reply says yes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.errors import WrongState
from games.queries.votes import open_proposals
from games.services.players import address_confirm
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.inbound.senders import FurtherAddress, Newcomer, Sender, seat_meant

_AROUND = re.compile(r"^[\W_]+|[\W_]+$")


class Confirm(Verb):
    name = "confirm"
    aliases = ("yes", "ok", "okay", "ja", "oui", "si", "sí", "sim")  # Polish "tak" is Danish thanks
    usage = "CONFIRM"
    summary = "say yes to a question of ours"
    help = (
        "When we ask you something, for example whether a mail was yours, reply with the word YES "
        "or CONFIRM on a line of its own. Without it nothing is done, for mail programs answer by "
        "themselves while people are away. Only when you register, any reply does. To say no, "
        "reply REFUSE."
    )
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if not isinstance(sender, Newcomer | FurtherAddress):
            raise WrongState(
                f"There is nothing to confirm, so nothing has changed.{how_to_vote(sender, 'YES')}"
            )
        email, player = (
            sender.address.email,
            address_confirm(address=sender.address, now=arrival.now),
        )
        if isinstance(sender, FurtherAddress):
            return Receipt(
                title="Your addresses",
                text=f"{email} is confirmed: it is {player.name}'s, too. You can "
                "write to us from there.",
                subject="Your address is confirmed",
            )
        return Receipt(
            title="Welcome",
            text=(
                f"{email} is confirmed: you are registered as {player.name}.\n"
                "\n"
                "Write LIST to see the games that take players, JOIN and a game's name to join "
                "one, and HELP to see everything else you can write."
            ),
            subject="Welcome",
        )


def says_yes(calls: Sequence[Call]) -> bool:
    """Whether YES, CONFIRM or the like stands on a line of its own, whatever marks are around."""
    alone = words_alone(calls)
    return any(call.verb == Confirm.name for call in calls) or not alone.isdisjoint(_YES)


def words_alone(calls: Sequence[Call]) -> set[str]:
    """The lines that are no command, lower-case and without the marks around them: `*Yes!*`."""
    lines = (line for call in calls if call.verb in (ORDERS, AMEND) for line in call.lines)
    return {_AROUND.sub("", line.text).lower() for line in lines}


_YES = {Confirm.name, *Confirm.aliases}


def how_to_vote(sender: Sender, vote: str) -> str:
    """What who answers a proposal by a bare yes or no should write; empty where none is open."""
    seat = seat_meant(sender)
    proposals = open_proposals(seat.power.game) if seat else []
    votes = " or ".join(f"VOTE {vote} {one.number}" for one in proposals)
    return f" If it is your vote, write: {votes}" if votes else ""
