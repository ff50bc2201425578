"""The GM set orders for a power: its player reads them, everybody else that it was done and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import OrdersSet
from games.models import Event, Phase, Seat
from games.queries import lookup
from games.queries.access.audience import is_foggy, untold_facts
from games.queries.reports.log_text import SOMEBODY
from mailer.notices.audiences import with_answers
from mailer.notices.news import News
from mailer.notices.notice import Notice, SeatMail, to_gm, to_seats
from mailer.notices.parts.todos import Todo, current_orders, todos
from mailer.text import MARKER

NEWS = News("{title}: orders were set for {power}")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mail for the power's player first, then those for the others and the GM."""
    power = OrdersSet.of(event).power
    phase = lookup.open_phase(event.game)
    seats = sorted(lookup.seats_of(event.game), key=lambda one: one.power.name != power)
    tasks = todos(phase, [one for one in seats if one.power.name == power], now, told=False)
    letters = (_to_player(event, seat, phase, tasks.get(seat)) for seat in seats)
    yield from with_answers(to_seats(event, letters, phase=phase), tasks)
    body = NEWS.body(event, event.game.timezone)
    yield from to_gm(event, subject=NEWS.subject(event), body=body)


def _to_player(event: Event, seat: Seat, phase: Phase | None, task: Todo | None) -> SeatMail:
    """The mail for the player of the seat."""
    power = OrdersSet.of(event).power
    own = seat.power.name == power
    named = power if own or "power" not in untold_facts(event) else SOMEBODY
    body = NEWS.body(
        event,
        event.game.timezone,
        marker=MARKER,
        own=own,
        power=named,
        in_part=is_foggy(event.game),
        orders=current_orders(event, seat, phase) if own else [],
        todo=task.lines if task else [],
    )
    return SeatMail(seat, NEWS.subject(event, power=named), body)
