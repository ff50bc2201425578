"""News for a player who has no power in the game: before the start, or after their tenure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.models import Event, Player
from games.queries.phases.musters import players_with_place
from mailer.notices.news import News
from mailer.notices.notice import Notice, about, to_gm
from mailer.outbound import threads
from mailer.outbound.tokens import ForAddress
from mailer.text import MARKER


def those_with_a_place(event: Event, news: News, now: dt.datetime) -> Iterator[Notice]:
    """Tell the people who have a place in a game that has not started, and its GM."""
    subject = news.subject(event)
    for player in players_with_place(event.game):
        made = event.game.gm_id is None and event.game.maker_id == player.pk
        body = news.body(event, player.timezone, marker=MARKER, made=made, has_place=True)
        yield from to_player(event, player, subject=subject, body=body)
    yield from to_gm(event, subject=subject, body=news.body(event, event.game.timezone, gm=True))


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
