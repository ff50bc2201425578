"""One mail to one recipient about one event, before it is queued."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings

from games.models import Event, Game, Phase, Player, Seat
from mailer import addresses, outbox
from mailer.models import OutboundMail

Priority = OutboundMail.Priority


@dataclass(frozen=True, slots=True)
class Notice:
    """Who is told what. `key` makes it the same mail whenever the event is told again."""

    key: str
    recipient: str
    subject: str
    body: str
    player: Player | None = None
    reply_to: str = ""
    cc: str = ""
    references: str = ""
    priority: Priority = Priority.NOTICE

    def enqueue(self, event: Event, now: dt.datetime) -> OutboundMail:
        """Queue it as a mail about `event`."""
        return outbox.enqueue(
            key=self.key,
            kind=event.kind,
            recipient=self.recipient,
            subject=self.subject,
            body=self.body,
            now=now,
            priority=self.priority,
            player=self.player,
            event=event,
            reply_to=self.reply_to,
            cc=self.cc,
            references=self.references,
        )


def to_seat(
    event: Event,
    seat: Seat,
    *,
    subject: str,
    body: str,
    phase: Phase | None,
    now: dt.datetime,
    key: str = "",
) -> list[Notice]:
    """A result for the player of `seat`, who answers it for `phase`; nothing without an address."""
    player = seat.player
    if not (address := player.address):
        return []
    return [
        Notice(
            key=key or f"{event.kind}/{event.pk}/seat/{seat.pk}",
            recipient=address,
            subject=about(event.game, subject),
            body=body,
            player=player,
            reply_to=addresses.seat_address(seat=seat, phase=phase, now=now),
            references=outbox.thread_root(event.game, player),
            priority=Priority.RESULT,
        )
    ]


def to_gm(event: Event, *, subject: str, body: str) -> list[Notice]:
    """A notice for the game's GM; nothing without a GM or without his address."""
    gm = event.game.gm
    if gm is None or not gm.email:
        return []
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/gm",
            recipient=gm.email,
            subject=about(event.game, subject),
            body=body,
        )
    ]


def to_operators(event: Event, *, subject: str, body: str) -> list[Notice]:
    """A notice for each of those who run the server (settings.OPERATOR_ADDRESSES)."""
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/operator/{address}",
            recipient=address,
            subject=about(event.game, subject),
            body=body,
        )
        for address in settings.OPERATOR_ADDRESSES
    ]


def about(game: Game, subject: str) -> str:
    """`[marne] Fall 1903 retreats: results`."""
    return f"[{game.name}] {subject}"
