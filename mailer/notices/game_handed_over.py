"""A game has another GM: all who play in it, or wait for its start, and all who run it are told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.models import Event
from games.queries.musters import players_with_place
from mailer.notices import co_gms
from mailer.notices.audiences import players_and_gm
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm
from mailer.notices.to_player import to_player
from mailer.text import MARKER

NEWS = News("The game has a new game master")


def notices(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The news for everybody; before the start, for the players who have a place, and the staff.
    Whoever was the GM and helps no longer is told so."""
    yield from co_gms.gave_up(event)
    if event.game.started_at:
        yield from players_and_gm(event, NEWS, now)
        return
    subject = NEWS.subject(event)
    for player in players_with_place(event.game):
        body = NEWS.body(event, player.timezone, marker=MARKER)
        yield from to_player(event, player, subject=subject, body=body)
    yield from to_gm(event, subject=subject, body=NEWS.body(event, event.game.timezone, gm=True))
