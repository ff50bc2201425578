"""A power gets no more time: we tell its player and nobody else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import ExtensionRefused
from games.models import Event
from games.queries import lookup
from mailer.notices.news import News
from mailer.notices.notice import NO_CALENDARS, Notice, to_seat
from mailer.text import MARKER

NEWS = News("{title}: the deadline stays where it is")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mail for the power's present player; none if nobody plays it."""
    refused = ExtensionRefused.of(event)
    is_to_come = refused.due_at is not None and refused.due_at > now
    for seat in lookup.seats_of(event.game):
        if seat.power.name == refused.power:
            body = NEWS.body(event, seat.player.timezone, marker=MARKER, is_to_come=is_to_come)
            yield from to_seat(
                event,
                seat,
                subject=NEWS.subject(event),
                body=body,
                phase=event.phase,
                calendars=NO_CALENDARS,
            )
