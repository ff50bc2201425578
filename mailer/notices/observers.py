"""What those who observe a game are told: nothing that is not for everybody."""

from __future__ import annotations

import datetime as dt

from games.models import Event
from games.services.observers import observers_of
from mailer import addresses
from mailer.models import OutboundMail
from mailer.notices.notice import Notice, about


def to_observers(event: Event, *, subject: str, body: str, now: dt.datetime) -> list[Notice]:
    """The same mail for everybody who observes the game of the event."""
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/observer/{one.pk}",
            recipient=address.email,
            subject=about(event.game, subject),
            body=body,
            player=one.player,
            reply_to=addresses.player_address(address=address, now=now),
            references=_thread(event, one.player_id),
        )
        for one in observers_of(event.game)
        if (address := one.player.record)
    ]


def _thread(event: Event, player_id: int) -> str:
    """The first mail that he got as an observer of this game: all later ones hang on it."""
    mails = OutboundMail.objects.filter(
        player=player_id, event__game=event.game, key__contains="/observer/"
    )
    first = mails.order_by("pk").only("message_id").first()
    return first.message_id if first else ""
