"""The GM ended a civil disorder: the power's player is told first, then all others."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import DisorderEnded
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.seat_news import seat_of_power, to_everybody, to_player_of


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the player, then for the GM and the others."""
    seat = seat_of_power(event)
    news = f"{DisorderEnded.of(event).power} is no longer in civil disorder"
    first = (
        to_player_of(event, seat, news, now, template="disorder_ended", mine=True) if seat else []
    )
    return to_everybody(event, news, now, first=first, without=seat)
