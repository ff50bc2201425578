"""The deadline passed, orders are missing, and the game waits: everybody is told for whom.

Those it waits for are told first and in other words.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games import selectors
from games.models import Event
from mailer.notices import layout, sections
from mailer.notices.notice import Notice, to_gm, to_seat
from mailer.notices.to_all import said_by, subject_of
from mailer.wording import MARKER, listed


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for those who are late, then for the others and the GM."""
    late = event.payload["powers"]
    phase = selectors.open_phase(event.game)
    seats = selectors.seats_of(event.game)
    for seat in sorted(seats, key=lambda seat: seat.power.name not in late):
        mine = seat.power.name in late
        step = selectors.start_report(seat).next if mine and phase else None
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
        subject = subject_of(event, news)
        yield from to_seat(event, seat, subject=subject, body=body, phase=phase, now=now)
    players = selectors.players_for_gm(event.game)
    named = [f"{power} ({players.get(power, 'nobody')})" for power in late]
    said = said_by(event, event.game.timezone)
    body = layout.render("orders_overdue", gm=True, late=listed(named), **said)
    yield from to_gm(event, subject=subject_of(event, "the game waits for orders"), body=body)
