"""A game that waits opened a seat again: its player is told first, then all others."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import SeatOpened
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.seat_news import seat_of_power, to_everybody, to_player_of


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the player, then for the GM, the moderators and the others."""
    seat = seat_of_power(event)
    mine = "others may take your seat now"
    first = to_player_of(event, seat, mine, now, template="seat_opened", mine=True) if seat else []
    news = f"{SeatOpened.of(event).power} may be taken over"
    return to_everybody(event, news, now, first=first, without=seat, moderators=True)
