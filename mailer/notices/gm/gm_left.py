"""The GM of a game has left the server: we tell players, observers, moderators and the next GM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.models import Event
from games.queries.access.roles import masters
from games.queries.players.places import wishes_to_join
from mailer.notices.audiences import all_but
from mailer.notices.news import News
from mailer.notices.notice import Notice
from mailer.notices.recipients.moderators import to_moderators
from mailer.notices.recipients.observers import to_observers
from mailer.notices.recipients.to_player import those_with_a_place, to_player
from mailer.text import MARKER

NEWS = News("The game master has left")


def notices(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The news for everybody; before the start, for the players who have a place or wait to be let
    in, and the staff."""
    if event.game.started_at:
        yield from all_but([], event, NEWS, now, moderators=True)
        return
    yield from those_with_a_place(event, NEWS, now)
    subject = NEWS.subject(event)
    for player, _ in wishes_to_join(event.game):
        asked = "runs" if masters(event.game, now) else "nobody"
        body = NEWS.body(event, player.timezone, marker=MARKER, asked=asked)
        yield from to_player(event, player, subject=subject, body=body)
    watched = NEWS.body(event, "UTC", observer=True)
    yield from to_moderators(event, subject=subject, body=watched)
    yield from to_observers(event, subject=subject, body=watched)
