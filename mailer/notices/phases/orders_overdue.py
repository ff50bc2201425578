"""The deadline passed, orders are missing, and the game waits: everybody is told for whom.

Those it waits for are told first, in words of their own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from games.events import OrdersOverdue
from games.models import Event, Phase, Seat
from games.queries import lookup
from games.queries.access.audience import untold_facts
from games.queries.phases.next_phase import next_phase
from games.queries.reports.wording import listed
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm, to_seats
from mailer.notices.parts import duties
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
    letters = (_to_player(event, seat, phase, now, free) for seat in late_first)
    yield from to_seats(event, letters, phase=phase)
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
    event: Event, seat: Seat, phase: Phase | None, now: dt.datetime, free: Sequence[str]
) -> tuple[Seat, str, str]:
    """The subject and the body for the player of the seat."""
    late = OrdersOverdue.of(event).powers
    mine, untold = seat.power.name in late, "powers" in untold_facts(event)
    step = next_phase(phase, seat.power) if mine and phase else None
    body = NEWS.body(
        event,
        seat.player.timezone,
        marker=MARKER,
        mine=mine,
        power=seat.power.name,
        late="somebody" if untold else listed(late),
        untold=untold,
        free=free,
        named_free=listed(free) if free else "",
        is_free=seat.power.name in free,
        todo=duties.next_step(step, seat, event.game, now) if step else [],
    )
    return seat, NEWS.subject(event, mine=mine), body
