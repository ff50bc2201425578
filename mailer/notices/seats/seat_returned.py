"""A player is back before anybody took their seat: we tell them first, then everybody else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import SeatReturned
from games.models import Event
from games.queries import lookup
from games.queries.reports.calendars import mailed_files
from mailer.notices.audiences import all_but, seat_of_power, the_seat
from mailer.notices.news import News
from mailer.notices.notice import Notice

NEWS = News("{title}: the player of {power} is back", mine="{title}: you are back")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mail for the player, then those for the GM and the others.

    If the game waited only for their orders, none is sent: the results say that they came.
    """
    said = SeatReturned.of(event)
    if said.in_time:
        return
    seat = seat_of_power(event)
    if seat is not None and seat.pk != said.seat:
        seat = None  # somebody else has the seat by now
    phase = lookup.open_phase(event.game)
    calendars = mailed_files([phase], [said.power]) if phase else {}
    yield from the_seat(event, NEWS, seat, now, calendars=calendars)
    yield from all_but([seat], event, NEWS, now)
