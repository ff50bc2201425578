"""News for a player who has no power in the game: before the start, or after their tenure."""

from __future__ import annotations

from games.models import Event, Player
from mailer.notices.notice import Notice, about
from mailer.outbound import threads
from mailer.outbound.tokens import ForAddress


def to_player(
    event: Event,
    player: Player,
    *,
    subject: str,
    body: str,
    reply_to: str = "",
) -> list[Notice]:
    """A notice to the player as a person; nothing without a confirmed address.

    Without `reply_to` they answer as themselves, about no particular game or power.
    """
    record = player.record
    if record is None:
        return []
    root = threads.newest(event.game, [player]).get(player.pk, threads.NO_ROOT)
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/player/{player.pk}",
            recipient=record.email,
            subject=about(event.game, subject),
            body=body,
            player=player,
            reply_to=reply_to or ForAddress(record),
            references=root.message_id,
        )
    ]
