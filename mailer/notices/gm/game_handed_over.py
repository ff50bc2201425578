"""A game has another GM: all who play in it, or wait for its start, and all who run it are told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.models import Event
from mailer.notices.audiences import players_and_gm
from mailer.notices.gm import co_gms
from mailer.notices.news import News
from mailer.notices.notice import Notice
from mailer.notices.recipients.to_player import those_with_a_place

NEWS = News("The game has a new game master")


def notices(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The news for everybody; before the start, for the players who have a place, and the staff. A
    former GM who does not stay on as co-GM is told so."""
    yield from co_gms.gave_up(event)
    told = players_and_gm if event.game.started_at else those_with_a_place
    yield from told(event, NEWS, now)
