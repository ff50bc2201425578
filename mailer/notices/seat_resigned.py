"""A player resigned (he has his receipt): the GM, the moderators and the others are told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import SeatResigned
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.seat_news import to_everybody


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for everybody else."""
    news = f"the player of {SeatResigned.of(event).power} has resigned"
    return to_everybody(event, news, now, moderators=True)
