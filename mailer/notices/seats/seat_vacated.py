"""The GM or a moderator took a power from its player: we tell the player first, by whom and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from games.events import SeatVacated
from games.models import Event
from games.queries import lookup
from games.queries.reports.calendars import left_files
from mailer.notices.audiences import all_but, the_player
from mailer.notices.news import News
from mailer.notices.notice import Notice

NEWS = News(
    "{title}: {power} has no player",
    mine="{title}: you no longer play",
)


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mail for the former player, then those for the GM, the moderators and the others."""
    phase = lookup.open_phase(event.game)
    calendars = left_files(phase, SeatVacated.of(event).power) if phase else ()
    for notice in the_player(event, NEWS, now):
        yield replace(notice, calendars=calendars)
    yield from all_but([], event, NEWS, now, moderators=True)
