"""What those who observe a game are told: nothing that is not for everybody."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import Min

from games.models import Event, Game, Observer
from games.services.observers import observers_of
from mailer.models import OutboundMail
from mailer.notices.notice import Notice, about
from mailer.outbound import addresses


def to_observers(event: Event, *, subject: str, body: str, now: dt.datetime) -> list[Notice]:
    """The same mail for everybody who observes the game of the event."""
    observers = observers_of(event.game)
    threads = _threads(event.game, observers)
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/observer/{one.pk}",
            recipient=address.email,
            subject=about(event.game, subject),
            body=body,
            player=one.player,
            reply_to=addresses.player_address(address=address, now=now),
            references=threads.get(one.player_id, ""),
        )
        for one in observers
        if (address := one.player.record)
    ]


def _threads(game: Game, observers: Sequence[Observer]) -> dict[int, str]:
    """The first mail that each player got as an observer of the game: all later ones hang on it."""
    mails = OutboundMail.objects.filter(
        player__in=[one.player_id for one in observers],
        event__game=game,
        key__contains="/observer/",
    )
    firsts = mails.order_by().values("player").annotate(first=Min("pk")).values("first")
    found = OutboundMail.objects.filter(pk__in=firsts).order_by()
    return dict(found.values_list("player", "message_id"))
