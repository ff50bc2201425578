"""A power is in civil disorder: its player is told first, and how to come back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import DisorderDeclared
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.seat_news import seat_of_power, to_everybody, to_player_of


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the player, then for the GM, the moderators and the others."""
    seat = seat_of_power(event)
    mine = "your power is in civil disorder"
    first = (
        to_player_of(event, seat, mine, now, template="disorder_declared", mine=True)
        if seat
        else []
    )
    news = f"{DisorderDeclared.of(event).power} is in civil disorder"
    return to_everybody(event, news, now, first=first, without=seat, moderators=True)
