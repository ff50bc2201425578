"""The proposal that a bare yes or no is about: that of the mail which it answers."""

from __future__ import annotations

from games.events import VoteProposed, facts_of
from games.queries.lookup import everyone_in
from mailer.commands.base import Arrival
from mailer.commands.calls import Call
from mailer.identity.senders import Proof, Sender, seat_meant
from mailer.models import OutboundMail

VOTE = "vote"


def vote_meant(said: str, arrival: Arrival, sender: Sender) -> Call | None:
    """The vote that YES or NO means in a direct answer to the mail about a proposal; None in any
    other mail, or if we do not know who wrote it."""
    seat = seat_meant(sender)
    if seat is None or sender.player is None or sender.proof is Proof.NONE:
        return None
    told = OutboundMail.objects.filter(
        kind=VoteProposed.kind,
        player__in=everyone_in(sender.player),
        message_id__in=arrival.answers[-1:],
        event__game=seat.power.game,
    )
    mail = told.select_related("event").first()
    facts = facts_of(mail.event) if mail and mail.event else None
    if not isinstance(facts, VoteProposed):
        return None
    return Call(VOTE, f"{said} {facts.number}", 0)
