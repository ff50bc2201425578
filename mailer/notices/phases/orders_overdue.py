"""The deadline passed, orders are missing, and the game waits: we tell everybody for whom.

The players it waits for are told first, in words of their own. The mail is written a little later:
it says whose orders have come in between, and nobody gets one once the phase is over.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from games.events import OrdersOverdue
from games.models import Event, Seat
from games.queries import lookup
from games.queries.access.audience import untold_facts
from games.queries.orders.waiting import missing_powers
from games.queries.reports.wording import listed
from mailer.notices.audiences import with_answers
from mailer.notices.news import News
from mailer.notices.notice import Notice, SeatMail, to_gm, to_seats
from mailer.notices.parts.todos import Todo, todos
from mailer.text import MARKER

NEWS = News(
    "{title}: the game is waiting for orders",
    mine="{title}: the game is waiting for your orders",
)
CAME = News("{title}: the late orders have come", template=OrdersOverdue.kind)


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mails for those who are late, then for the others and the GM."""
    phase = lookup.open_phase(event.game)
    if phase is None or phase.pk != event.phase_id:
        return  # the results tell
    overdue = _overdue(event, missing_powers(phase))
    # A player who took over since then reads of it in a mail of their own.
    seats = [one for one in lookup.seats_of(event.game) if one.since <= event.created_at]
    late = [seat for seat in seats if seat.power.name in overdue.late]
    in_time = [seat for seat in seats if seat not in late]
    tasks = todos(phase, late, now, told=False)
    letters = (_to_player(event, overdue, seat, tasks.get(seat)) for seat in [*late, *in_time])
    yield from with_answers(to_seats(event, letters, phase=phase), tasks)
    named, free = partial(lookup.named_for_gm, event.game), overdue.free
    body = overdue.news.body(
        event,
        event.game.timezone,
        gm=True,
        free=free,
        named_free=listed(named(free)) if free else "",
        **_who(named(overdue.owing), named(overdue.came)),
    )
    yield from to_gm(event, subject=overdue.news.subject(event), body=body)


@dataclass(frozen=True, slots=True)
class _Overdue:
    """The powers without orders at the deadline, as they stand when the mails are written."""

    late: Sequence[str]
    came: Sequence[str]
    """The powers whose orders have come since."""
    free: Sequence[str]
    """The powers that others may take over: not those whose players could not know."""

    @property
    def owing(self) -> list[str]:
        """The powers whose orders the game still waits for."""
        return [power for power in self.late if power not in self.came]

    @property
    def news(self) -> News:
        return NEWS if self.owing else CAME


def _overdue(event: Event, missing: Collection[str]) -> _Overdue:
    late = OrdersOverdue.of(event).powers
    opened = event.game.powers.filter(name__in=late, open_since__isnull=False)
    free = list(opened.order_by("name").values_list("name", flat=True))
    return _Overdue(late, [power for power in late if power not in missing], free)


def _who(owing: Sequence[str], came: Sequence[str]) -> dict[str, str]:
    """Whose orders the game still waits for, and whose have come; "" if it waits for nobody."""
    return {
        "owing": listed(owing) if owing else "",
        "came": listed(came) if came else "",
    }


def _to_player(event: Event, overdue: _Overdue, seat: Seat, task: Todo | None) -> SeatMail:
    """The mail for the player of the seat; a player who is late has a task."""
    owing, free = overdue.owing, overdue.free
    untold = "powers" in untold_facts(event)
    mine = task is not None and seat.power.name not in overdue.came
    who = _who(["somebody"] if owing else [], []) if untold else _who(owing, overdue.came)
    body = overdue.news.body(
        event,
        seat.player.timezone,
        marker=MARKER,
        mine=mine,
        is_back=task is not None and not mine,
        power=seat.power.name,
        untold=untold,
        free=free,
        named_free=listed(free) if free else "",
        is_free=seat.power.name in free,
        todo=task.lines if task else [],
        **who,
    )
    return SeatMail(seat, overdue.news.subject(event, mine=mine), body)
