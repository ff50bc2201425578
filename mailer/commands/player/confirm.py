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
from mailer.commands import player
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import AMEND, ORDERS, Call, read_lines
from mailer.identity.senders import (
    FurtherAddress,
    Newcomer,
    Proof,
    Registered,
    Sender,
    seat_meant,
)
from mailer.models import OutboundMail
from mailer.reading.quotes import Line

_AROUND = re.compile(r"^[\W_]+|[\W_]+$")


class Confirm(Verb):
    name = "confirm"
    aliases = ("yes", "ok", "okay", "ja", "oui", "si", "sí", "sim")  # Polish "tak" is Danish thanks
    usage = "CONFIRM"
    summary = "say yes to a question of ours"
    help = (
        "When we ask you something, for example whether a mail was yours, reply with the word YES "
        "or CONFIRM on a line of its own. When we offer to do what you may have wanted, YES does "
        "it. Without it nothing is done, for mail programs answer by themselves while people are "
        "away. Only our question after REGISTER takes any reply for a yes. To say no, reply "
        "REFUSE."
    )
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if not isinstance(sender, Newcomer | FurtherAddress):
            if isinstance(sender, Registered) and (wished := wished_in(arrival, sender)):
                return _done(wished, sender, arrival)
            raise WrongState(
                f"There is nothing to confirm, so nothing has changed.{how_to_vote(sender, 'YES')}"
            )
        email = sender.address.email
        owner = address_confirm(address=sender.address, now=arrival.now)
        if isinstance(sender, FurtherAddress):
            return Receipt(
                title="Your addresses",
                text=f"{email} is confirmed: it is {owner.name}'s, too. You can "
                "write to us from there.",
                subject="Your address is confirmed",
            )
        return Receipt(
            title="Welcome",
            text=(
                f"{email} is confirmed: you are registered as {owner.name}.\n"
                "\n"
                "Write LIST to see the games that take players, JOIN and a game's name to join "
                "one, and HELP to see everything else you can write."
            ),
            subject="Welcome",
        )


def wished_in(arrival: Arrival, sender: Sender) -> OutboundMail | None:
    """The receipt of ours that this mail answers, if it offered something for the word YES.

    It came to that receipt's reply address. Some mail programs name no mail that they answer, and
    some servers rename ours: then it is the last receipt with this address.
    """
    if sender.player is None or sender.proof is Proof.NONE:
        return None
    receipts = OutboundMail.objects.filter(
        kind="reply", player=sender.player, reply_to__in=arrival.to
    ).select_for_update()
    answered = receipts.filter(message_id__in=arrival.answers).order_by("-pk").first()
    last = answered or receipts.order_by("-pk").first()
    return last if last and last.on_yes else None


def _done(wished: OutboundMail, sender: Sender, arrival: Arrival) -> Receipt:
    """Does what was offered, once."""
    lines = [Line(at, text) for at, text in enumerate(wished.on_yes.splitlines(), start=1)]
    calls = read_lines(lines, (), player.WORDS)
    wished.on_yes = ""
    wished.save(update_fields=["on_yes"])
    return player.VERBS[calls[0].verb].run(calls[0], sender, arrival)


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
