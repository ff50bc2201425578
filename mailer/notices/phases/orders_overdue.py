"""The deadline passed, orders are missing, and the game waits: everybody is told for whom.

Those it waits for are told first, in words of their own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from games.events import OrdersOverdue
from games.models import Event, Seat
from games.queries import lookup
from games.queries.access.audience import untold_facts
from games.queries.orders.waiting import powers_not_in
from games.queries.reports.wording import listed
from mailer.notices.audiences import with_answers
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm, to_seats
from mailer.notices.parts.todos import Todo, todos
from mailer.text import MARKER

NEWS = News(
    "{title}: the game is waiting for orders",
    mine="{title}: the game is waiting for your orders",
)


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mails for those who are late, then for the others and the GM."""
    late = OrdersOverdue.of(event).powers
    phase = lookup.open_phase(event.game)
    seats = lookup.seats_of(event.game)
    late_first = sorted(seats, key=lambda seat: seat.power.name not in late)
    free = _free(event)
    tasks = todos(phase, [seat for seat in seats if seat.power.name in late], now, told=False)
    not_in = powers_not_in(phase) if phase else late
    letters = (
        _to_player(event, seat, tasks.get(seat), free, came=seat.power.name not in not_in)
        for seat in late_first
    )
    yield from with_answers(to_seats(event, letters, phase=phase), tasks)
    named = listed(lookup.named_for_gm(event.game, late))
    named_free = listed(lookup.named_for_gm(event.game, free)) if free else ""
    body = NEWS.body(
        event, event.game.timezone, gm=True, late=named, free=free, named_free=named_free
    )
    yield from to_gm(event, subject=NEWS.subject(event), body=body)


def _free(event: Event) -> list[str]:
    """The late powers that others may take over: not those whose players could not know."""
    late = OrdersOverdue.of(event).powers
    opened = event.game.powers.filter(name__in=late, open_since__isnull=False)
    return list(opened.order_by("name").values_list("name", flat=True))


def _to_player(
    event: Event, seat: Seat, task: Todo | None, free: Sequence[str], *, came: bool
) -> tuple[Seat, str, str]:
    """The subject and the body for the player of the seat; who is late has a task, unless their
    orders `came` before this mail was written."""
    late = OrdersOverdue.of(event).powers
    mine, untold = task is not None, "powers" in untold_facts(event)
    body = NEWS.body(
        event,
        seat.player.timezone,
        marker=MARKER,
        mine=mine,
        came=mine and came,
        power=seat.power.name,
        late="somebody" if untold else listed(late),
        untold=untold,
        free=free,
        named_free=listed(free) if free else "",
        is_free=seat.power.name in free,
        todo=task.lines if task else [],
    )
    return seat, NEWS.subject(event, mine=mine and not came), body
