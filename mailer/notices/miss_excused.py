"""Missed orders were excused: the player whose they were is told, nobody else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import MissExcused
from games.models import Event, Seat
from mailer.notices import layout
from mailer.notices.notice import Notice
from mailer.notices.to_all import said_by, subject_of
from mailer.notices.to_player import to_player


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the player, also when another has his seat now."""
    seat = Seat.objects.select_related("player").get(pk=MissExcused.of(event).seat)
    player = seat.player
    body = layout.render("miss_excused", name=player.name, **said_by(event, player.timezone))
    subject = subject_of(event, "your missed orders are excused")
    return to_player(event, player, subject=subject, body=body, now=now)
