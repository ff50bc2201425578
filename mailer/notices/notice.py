"""One mail to one recipient about one event, before it is queued."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings

from games.models import Event, Game, Phase, Player, Seat
from mailer import addresses, outbox
from mailer.models import OutboundMail
from mailer.wording import MARKER

Priority = OutboundMail.Priority
GM_HINT = (
    "You get this as the game master. To act on the game, reply with commands\n"
    "like EXTEND 24h because …, PAUSE, PROCESS or WRITE TO ALL; HELP lists\n"
    "them all.\n"
)


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


def to_gm(
    event: Event,
    *,
    subject: str,
    body: str,
    key: str = "",
    reply_to: str = "",
    references: str = "",
) -> list[Notice]:
    """A notice for the game's GM, who answers it with commands; nothing without his address."""
    gm = event.game.gm
    if gm is None or not gm.email:
        return []
    own = reply_to or addresses.gm_address(user=gm, game=event.game, now=event.created_at)
    return [
        Notice(
            key=key or f"{event.kind}/{event.pk}/gm",
            recipient=gm.email,
            subject=about(event.game, subject),
            body=_marked(body) if reply_to else f"{_marked(body)}\n{GM_HINT}",
            reply_to=own,
            references=references,
        )
    ]


def _marked(body: str) -> str:
    """With the line above which one writes: a reply has no line of ours for a command then."""
    return body if body.startswith(MARKER) else f"{MARKER}\n\n{body}"


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
