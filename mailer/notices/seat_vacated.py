"""The GM or a moderator took a power from its player: he is told first, and by whom and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import SeatVacated
from games.models import Event, Seat
from mailer.notices import layout
from mailer.notices.notice import Notice
from mailer.notices.seat_news import to_everybody
from mailer.notices.to_all import said_by, subject_of
from mailer.notices.to_player import to_player


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the former player, then for the GM, the moderators and the others."""
    said = SeatVacated.of(event)
    player = Seat.objects.select_related("player").get(pk=said.seat).player
    body = layout.render("seat_vacated", mine=True, **said_by(event, player.timezone))
    subject = subject_of(event, "you do not play any more")
    first = to_player(event, player, subject=subject, body=body, now=now)
    news = f"{said.power} has no player"
    return to_everybody(event, news, now, first=first, moderators=True)
