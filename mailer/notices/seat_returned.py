"""A player is back before anybody took his seat: he is told first, then all others."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import SeatReturned
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.seat_news import seat_of_power, to_everybody, to_player_of


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the player, then for the GM and the others.

    When a game only waited for his orders, the results say that they came: no mail is sent then.
    """
    said = SeatReturned.of(event)
    if said.in_time:
        return []
    seat = seat_of_power(event)
    if seat is not None and seat.pk != said.seat:
        seat = None  # somebody else has the seat by now
    first = (
        to_player_of(event, seat, "you are back", now, template="seat_returned", mine=True)
        if seat
        else []
    )
    news = f"the player of {said.power} is back"
    return to_everybody(event, news, now, first=first, without=seat)
