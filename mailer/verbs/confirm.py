"""CONFIRM: any reply to the question after REGISTER says it; the word itself is not needed."""

from __future__ import annotations

from games.errors import WrongState
from games.services.players import address_confirm
from games.votes import open_proposals
from mailer.identity import Sender
from mailer.script import Call
from mailer.verbs.base import Arrival, Receipt, Verb


class Confirm(Verb):
    name = "confirm"
    aliases = ("yes", "ok", "okay", "ja", "oui", "si", "sí", "sim", "tak")
    usage = "CONFIRM"
    summary = "say yes to a question of ours; to most any reply does"
    help = (
        "When we ask you to confirm something (an address, or a mail that came without proof that "
        "it was yours), any reply to that question says yes, with or without this word, unless the "
        "question asks for it. To say no to a mail that was not yours, reply REFUSE."
    )
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if sender.confirms is None:
            raise WrongState(
                f"There is nothing to confirm, so nothing has changed.{how_to_vote(sender, 'YES')}"
            )
        first = not sender.confirms.player.address
        player = address_confirm(address=sender.confirms, now=arrival.now)
        if not first:
            return Receipt(
                title="Your addresses",
                text=f"{sender.confirms.email} is confirmed: it is {player.name}'s, too. You can "
                "write to us from there.",
                subject="Your address is confirmed",
            )
        return Receipt(
            title="Welcome",
            text=(
                f"{sender.confirms.email} is confirmed: you are registered as {player.name}.\n"
                "\n"
                "Write LIST to see the games that take players, JOIN and a game's name to join "
                "one, and HELP to see everything else you can write."
            ),
            subject="Welcome",
        )


def how_to_vote(sender: Sender, vote: str) -> str:
    """What who answers a proposal by a bare yes or no should write; empty where none is open."""
    standing = open_proposals(sender.seat.power.game) if sender.seat else []
    votes = " or ".join(f"VOTE {vote} {one.number}" for one in standing)
    return f" If it is your vote, write: {votes}" if votes else ""
