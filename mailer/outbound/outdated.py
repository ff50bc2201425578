"""Reminders that waited so long for the relay that they are no longer true.

The orders came in the meantime, or the phase is over: whoever reads then that their orders are
missing believes that we lost them. Or the game is paused, or its deadline has moved: another mail
says so, and the reminder names the wrong time.
"""

from __future__ import annotations

import datetime as dt

from games.events import OrdersMissing
from games.models import UNFINISHED, Game
from games.queries import lookup
from games.queries.orders.waiting import powers_not_in
from mailer.models import OutboundMail

FRESH = dt.timedelta(minutes=10)
"""A reminder as young as this was true when it was written, and we look no further."""


def is_outdated(mail: OutboundMail, now: dt.datetime) -> bool:
    """Whether the mail asks its reader for orders that they no longer owe, or not by then."""
    if mail.kind != OrdersMissing.kind or now - mail.created_at < FRESH or mail.event is None:
        return False
    phase = mail.event.phase
    if phase is None or phase.status not in UNFINISHED:
        return True
    if phase.game.status != Game.Status.ACTIVE:
        return True
    if phase.due_at and phase.due_at != OrdersMissing.of(mail.event).due_at:
        return True
    owing = powers_not_in(phase)
    seats = lookup.seats_of(mail.event.game)
    return not any(seat.player_id == mail.player_id and seat.power.name in owing for seat in seats)
