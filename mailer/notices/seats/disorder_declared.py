"""Powers in civil disorder: we tell their players first, then all others in one mail.

If a phase leaves several powers in disorder, the last of these events tells everybody about all of
them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.events import DisorderDeclared
from games.models import Event
from games.queries.reports.wording import listed
from mailer.notices.audiences import Named, all_but, seat_of_power, the_seat
from mailer.notices.news import News
from mailer.notices.notice import Notice

ONE = News(
    "{title}: {power} is in civil disorder",
    mine="{title}: your power is in civil disorder",
)
SEVERAL = News("{title}: {powers} are in civil disorder", template="disorders_declared")


def notices(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """A mail for the power's player and, with the last of several, one for everybody else."""
    together = _together(event)
    powers = [DisorderDeclared.of(one).power for one in together]
    seat = seat_of_power(event)
    others = [one for one in powers if one != DisorderDeclared.of(event).power]
    is_back = seat is not None and seat.power.disorder_since is None
    yield from the_seat(event, ONE, seat, now, others=listed(others), is_back=is_back)
    if event.pk != together[-1].pk:
        return
    if len(together) == 1:
        yield from all_but([seat], event, ONE, now, moderators=True)
        return
    told = [seat_of_power(one) for one in together]
    yield from all_but(told, event, SEVERAL, now, named=Named(powers=powers), moderators=True)


def _together(event: Event) -> list[Event]:
    """The events of all powers declared together, the oldest first."""
    events = event.game.events.filter(
        kind=DisorderDeclared.kind, phase=event.phase_id, created_at=event.created_at
    )
    return list(events.select_related("game", "phase").order_by("number"))
