"""The deadline passed, orders are missing, and the game waits: everybody is told for whom.

Those it waits for are told first and in other words.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import OrdersOverdue
from games.models import Event, Phase, Seat
from games.queries import lookup
from mailer.notices import layout, sections
from mailer.notices.notice import Notice, to_gm, to_seats
from mailer.notices.to_all import said_by, subject_of
from mailer.text import MARKER, listed


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for those who are late, then for the others and the GM."""
    late = OrdersOverdue.of(event).powers
    phase = lookup.open_phase(event.game)
    seats = lookup.seats_of(event.game)
    late_first = sorted(seats, key=lambda seat: seat.power.name not in late)
    letters = (_to_player(event, seat, phase, now) for seat in late_first)
    yield from to_seats(event, letters, phase=phase, now=now)
    players = lookup.players_for_gm(event.game)
    named = [f"{power} ({players.get(power, 'nobody')})" for power in late]
    said = said_by(event, event.game.timezone)
    body = layout.render("orders_overdue", gm=True, late=listed(named), **said)
    yield from to_gm(event, subject=subject_of(event, "the game waits for orders"), body=body)


def _to_player(
    event: Event, seat: Seat, phase: Phase | None, now: dt.datetime
) -> tuple[Seat, str, str]:
    """The subject and the body for the player of the seat."""
    late = OrdersOverdue.of(event).powers
    mine = seat.power.name in late
    step = lookup.next_phase(phase, seat.power) if mine and phase else None
    body = layout.render(
        "orders_overdue",
        marker=MARKER,
        mine=mine,
        power=seat.power.name,
        late=listed(late),
        todo=sections.next_step(step, seat, event.game, now) if step else [],
        **said_by(event, seat.player.timezone),
    )
    news = "the game waits for your orders" if mine else "the game waits for orders"
    return seat, subject_of(event, news), body
