"""The proposal that a bare yes or no is about, by the mail which it answers."""

from __future__ import annotations

from collections.abc import Sequence

from games.events import VoteCast, VoteProposed, facts_of
from games.queries.endings.votes import open_proposals, vote_of
from games.queries.lookup import everyone_in
from mailer.commands.base import Arrival
from mailer.commands.calls import Call
from mailer.commands.receipt import Wish
from mailer.identity.senders import Proof, Sender, seat_meant
from mailer.models import OutboundMail
from mailer.reading.kinds_of_line import asks, looks_like_order
from mailer.reading.phrases import UNIT_AND_PLACE
from mailer.reading.quotes import Line
from mailer.text import you_wrote

VOTE = "vote"


def vote_meant(said: str, arrival: Arrival, sender: Sender) -> Call | None:
    """The vote in a YES or NO that directly answers the mail about a proposal or a vote on it; None
    for any other mail, or if we do not know its writer."""
    seat = seat_meant(sender)
    if seat is None or sender.player is None or sender.proof is Proof.NONE:
        return None
    told = OutboundMail.objects.filter(
        kind__in=(VoteProposed.kind, VoteCast.kind),
        player__in=everyone_in(sender.player),
        message_id__in=arrival.answers[-1:],
        event__game=seat.power.game,
    )
    mail = told.select_related("event").first()
    facts = facts_of(mail.event) if mail and mail.event else None
    if not isinstance(facts, VoteProposed | VoteCast):
        return None
    return Call(VOTE, f"{said} {facts.number}", 0)


def wish_to_vote(lines: Sequence[Line], arrival: Arrival, sender: Sender) -> Wish | None:
    """How to vote, for somebody who answers the mail about a proposal in words other than YES or
    NO.

    We do not guess what "Fine with me, if Italy agrees" means. We quote the first of the lines, so
    greetings come last. None for any other mail, for questions, if they have voted, perhaps in this
    mail, and if nobody can any more.
    """
    if any(looks_like_order(line.text) or UNIT_AND_PLACE.search(line.text) for line in lines):
        return None
    if all(asks(line.text) for line in lines):
        return None
    vote, seat = vote_meant("yes", arrival, sender), seat_meant(sender)
    if vote is None or seat is None:
        return None
    number = vote.argument.split()[-1]
    still_open = (one for one in open_proposals(seat.power.game) if str(one.number) == number)
    proposal = next(still_open, None)
    if proposal is None or vote_of(proposal, seat) is not None:
        return None
    said = (
        f"{you_wrote(lines[0].text)} We cannot tell from that how you vote on proposal {number}, "
        f"so no vote is counted. To vote, write VOTE YES {number} or VOTE NO {number}."
    )
    numbers = frozenset(line.number for line in lines)
    return Wish("", "", said, numbers, f"NOT voted yet on proposal {number}")
