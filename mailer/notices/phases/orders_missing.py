"""Some powers still owe orders as the deadline draws near: we remind only them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from games.events import OrdersMissing
from games.models import Event, Phase, Seat
from games.queries import lookup
from games.queries.orders.current_orders import current_decisions
from games.queries.orders.waiting import powers_not_in
from games.queries.phases.next_phase import next_phase
from games.queries.reports.calendars import mailed_files
from games.queries.reports.wording import time_left
from mailer.notices.notice import Notice, to_seat
from mailer.notices.parts import duties, ready_answers
from mailer.outbound import layout
from mailer.text import MARKER


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """A reminder for each power the event names, unless its orders have come meanwhile."""
    phase = lookup.open_phase(event.game)
    if phase is None or phase.pk != event.phase_id or not phase.due_at:
        return
    if phase.due_at <= now and phase.overdue_at is None:
        return
    owing = set(powers_not_in(phase)) & set(OrdersMissing.of(event).powers)
    for seat in lookup.seats_of(event.game):
        if seat.power.name in owing and not seat.player.banned_at:
            yield from _reminder(event, seat, phase, phase.due_at, now)


def _reminder(
    event: Event, seat: Seat, phase: Phase, due_at: dt.datetime, now: dt.datetime
) -> list[Notice]:
    step = next_phase(phase, seat.power)
    current = current_decisions(phase, seat.power)
    missing = tuple(decision for decision, order in current if order is None)
    body = layout.render(
        "orders_missing",
        marker=MARKER,
        game=event.game.name,
        title=step.title,
        power=seat.power.name,
        nothing=len(missing) == len(current),
        waits=phase.overdue_at is not None,
        by=OrdersMissing.of(event).by,
        todo=duties.next_step(step, seat, event.game, now, missing=duties.left_of(current)),
    )
    whose = "your orders" if len(missing) == len(current) else "some of your orders"
    subject = _subject(phase, step.title, whose, due_at, now)
    answers = ready_answers.buttons(step, missing)
    calendars = mailed_files([phase], [seat.power.name])
    notices = to_seat(event, seat, subject=subject, body=body, phase=phase, calendars=calendars)
    return [replace(one, buttons=answers) for one in notices]


def _subject(phase: Phase, title: str, whose: str, due_at: dt.datetime, now: dt.datetime) -> str:
    if phase.overdue_at is not None:
        return f"{title}: the game is waiting for your orders"
    return f"{title}: {whose} are missing, {time_left(due_at, now)} left"
