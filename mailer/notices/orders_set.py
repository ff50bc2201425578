"""The GM set orders for a power: its player reads which, all others that it was done and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import OrdersSet
from games.models import Event, Phase, Seat
from games.queries import lookup
from mailer.notices import layout, sections
from mailer.notices.notice import Notice, to_gm, to_seats
from mailer.notices.to_all import said_by, subject_of
from mailer.text import MARKER


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the power's player first, then for the others and the GM."""
    power = OrdersSet.of(event).power
    phase = lookup.open_phase(event.game)
    seats = sorted(lookup.seats_of(event.game), key=lambda one: one.power.name != power)
    letters = (_to_player(event, seat, phase, now) for seat in seats)
    yield from to_seats(event, letters, phase=phase, now=now)
    subject = subject_of(event, f"orders were set for {power}")
    yield from to_gm(event, subject=subject, body=_body(event, gm=True))


def _to_player(
    event: Event, seat: Seat, phase: Phase | None, now: dt.datetime
) -> tuple[Seat, str, str]:
    """The subject and the body for the player of the seat."""
    power = OrdersSet.of(event).power
    own = seat.power.name == power
    subject = subject_of(event, f"orders were set for {power}")
    step = lookup.next_phase(phase, seat.power) if own and phase else None
    body = _body(
        event,
        marker=MARKER,
        own=own,
        orders=_orders(event, seat, phase) if own and phase else [],
        todo=sections.next_step(step, seat, event.game, now) if step else [],
    )
    return seat, subject, body


def _orders(event: Event, seat: Seat, phase: Phase) -> list[str]:
    """What stands for the power now; nothing when the phase is over, the results tell it then."""
    if phase.pk != event.phase_id:
        return []
    standing = lookup.standing_orders(phase, seat.power)
    return [f"{seat.power.name}: {order or f'{unit} has no order'}." for unit, order in standing]


def _body(event: Event, **context: object) -> str:
    return layout.render("orders_set", **{**said_by(event, event.game.timezone), **context})
