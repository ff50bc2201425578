"""Mails to observers of a game, with nothing in them that is not for everybody."""

from __future__ import annotations

from games.models import Event
from games.queries import lookup
from games.services.seating.observers import observers_of
from mailer.notices.notice import Notice, about
from mailer.outbound import threads
from mailer.outbound.tokens import ForAddress


def to_observers(event: Event, *, subject: str, body: str) -> list[Notice]:
    """The same mail for everybody who observes the game of the event."""
    observers = observers_of(event.game)
    phase = lookup.open_phase(event.game) if observers else None
    players = [one.player for one in observers]
    roots = threads.roots(phase, players) if phase else threads.newest(event.game, players)
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/observer/{one.pk}",
            recipient=address.email,
            subject=about(event.game, subject),
            body=body,
            player=one.player,
            reply_to=ForAddress(address),
            references=roots.get(one.player_id, threads.NO_ROOT).message_id,
            opens=None if one.player_id in roots else phase,
        )
        for one in observers
        if (address := one.player.record)
    ]
