"""Mails of ours that can come back, and what is then known and told."""

from __future__ import annotations

from games.models import Address, Player
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, outbox
from tests.cast import NOW, Cast
from tests.mailer.correspondence import to_seat

State = InboundMail.State


def result(cast: Cast, name: str = "Ben") -> OutboundMail:
    """A mail of ours to a player of the cast."""
    player = cast.player(name)
    return outbox.enqueue(
        key=f"test/{OutboundMail.objects.count()}",
        kind="phase_processed",
        recipient=player.address,
        subject="[marne] Spring 1901 movement: results",
        body="##- Please write above this line -##\n\nEngland: F London - North Sea: succeeds.\n",
        now=NOW,
        priority=OutboundMail.Priority.RESULT,
        player=player,
        reply_to=to_seat(cast, "England"),
    )


def back_to(mail: OutboundMail) -> str:
    return addresses.bounce_address(mail.message_id)


def address(name: str) -> Address:
    return Player.objects.get(name=name).addresses.get(of_record=True)


def told() -> list[OutboundMail]:
    return list(OutboundMail.objects.filter(kind="undelivered").order_by("pk"))


def second_address(player: Player) -> Address:
    return player.addresses.create(email="ben@work.test", confirmed_at=NOW, created_at=NOW)
