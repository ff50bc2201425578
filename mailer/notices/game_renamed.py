"""A game that has not started has another name: those who have a place in it are told, by name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event
from games.queries.musters import players_with_place
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm
from mailer.notices.to_player import to_player
from mailer.text import MARKER

NEWS = News("The game {before} is called {to} now")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for everybody who has a place, and for the GM."""
    subject = NEWS.subject(event)
    for player in players_with_place(event.game):
        body = NEWS.body(event, player.timezone, marker=MARKER)
        yield from to_player(event, player, subject=subject, body=body)
    yield from to_gm(event, subject=subject, body=NEWS.body(event, event.game.timezone, gm=True))
