"""The game to which the mail that a player answers invited them."""

from __future__ import annotations

from games.events import PlayersInvited
from games.models import Game
from games.queries.places import places_of
from mailer.commands.base import Arrival
from mailer.identity.senders import Proof, Sender
from mailer.models import OutboundMail


def invited_to(arrival: Arrival, sender: Sender) -> Game | None:
    """The game of the invitation that this mail answers, unless its writer already has a place."""
    if sender.player is None or sender.proof is Proof.NONE:
        return None
    mails = OutboundMail.objects.filter(
        kind=PlayersInvited.kind, player=sender.player, message_id__in=arrival.answers
    ).select_related("event__game")
    mail = mails.order_by("-pk").first()
    game = mail.event.game if mail and mail.event else None
    return None if game in places_of(sender.player) else game
