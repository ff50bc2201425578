"""The deadline passed, orders are missing, and the game waits: everybody is told for whom.

Those it waits for are told first, in words of their own. The mail is written a little later: it
says whose orders have come in between, and nobody gets one once the phase is over.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from functools import partial

from games.events import OrdersOverdue
from games.models import Event, Seat
from games.queries import lookup
from games.queries.access.audience import untold_facts
from games.queries.orders.waiting import missing_powers
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
CAME = News("{title}: the late orders have come", template=OrdersOverdue.kind)


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mails for those who are late, then for the others and the GM."""
    late = OrdersOverdue.of(event).powers
    phase = lookup.open_phase(event.game)
    if phase is None or phase.pk != event.phase_id:
        return  # the results tell
    missing = missing_powers(phase)
    came = [power for power in late if power not in missing]
    news = NEWS if len(came) < len(late) else CAME
    # Whoever has taken over since reads of it in a mail of their own.
    seats = [one for one in lookup.seats_of(event.game) if one.since <= event.created_at]
    late_first = sorted(seats, key=lambda seat: seat.power.name not in late)
    free = _free(event)
    tasks = todos(phase, [seat for seat in seats if seat.power.name in late], now, told=False)
    letters = (_to_player(event, news, seat, tasks.get(seat), free, came) for seat in late_first)
    yield from with_answers(to_seats(event, letters, phase=phase), tasks)
    named = partial(lookup.named_for_gm, event.game)
    body = news.body(
        event,
        event.game.timezone,
        gm=True,
        free=free,
        named_free=listed(named(free)) if free else "",
        **_who(named(power for power in late if power not in came), named(came)),
    )
    yield from to_gm(event, subject=news.subject(event), body=body)


def _who(owing: Sequence[str], came: Sequence[str]) -> dict[str, str]:
    """For whose orders the game is still waiting, and whose have come; "" for nobody."""
    return {
        "owing": listed(owing) if owing else "",
        "came": listed(came) if came else "",
    }


def _free(event: Event) -> list[str]:
    """The late powers that others may take over: not those whose players could not know."""
    late = OrdersOverdue.of(event).powers
    opened = event.game.powers.filter(name__in=late, open_since__isnull=False)
    return list(opened.order_by("name").values_list("name", flat=True))


def _to_player(
    event: Event,
    news: News,
    seat: Seat,
    task: Todo | None,
    free: Sequence[str],
    came: Sequence[str],
) -> tuple[Seat, str, str]:
    """The subject and the body for the player of the seat; who is late has a task. `came` are the
    powers whose orders have come before this mail was written."""
    late = OrdersOverdue.of(event).powers
    untold = "powers" in untold_facts(event)
    mine = task is not None and seat.power.name not in came
    owing = [power for power in late if power not in came]
    who = _who(owing, came) if not untold else _who(["somebody"] if owing else [], [])
    body = news.body(
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
    return seat, news.subject(event, mine=mine), body
