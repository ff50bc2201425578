"""News of a seat: its player first, in words of his own, then the GM, the moderators, the others.

Nobody is named: in an anonymous game nobody may be, and elsewhere it is said where it matters.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from games.events import facts_of
from games.models import Event, Seat
from games.queries import lookup
from mailer.notices import layout
from mailer.notices.moderators import to_moderators
from mailer.notices.notice import Notice, to_gm, to_seat
from mailer.notices.observers import to_observers
from mailer.notices.to_all import said_by, subject_of, todo
from mailer.text import MARKER


def to_everybody(
    event: Event,
    news: str,
    now: dt.datetime,
    *,
    first: Iterable[Notice] = (),
    without: Seat | None = None,
    moderators: bool = False,
    player: str = "",
    player_for_gm: str = "",
) -> Iterator[Notice]:
    """templates/mail/<kind>.txt for all who are concerned, after the notices `first`.

    `without` is a seat whose player is among the first. `player` is whom all may know by name,
    `player_for_gm` whom the GM may.
    """
    yield from first
    subject = subject_of(event, news)
    mine = [one for one in lookup.seats_of(event.game) if one != without]
    said = said_by(event, event.game.timezone)
    body = layout.render(event.kind, gm=True, player=player_for_gm, **said)
    yield from to_gm(event, subject=subject, body=body)
    body = layout.render(event.kind, player=player, observer=True, **said_by(event, "UTC"))
    if moderators:
        yield from to_moderators(event, subject=subject, body=body)
    for seat in mine:
        yield from to_player_of(event, seat, news, now, template=event.kind, player=player)
    yield from to_observers(event, subject=subject, body=body, now=now)


def to_player_of(
    event: Event,
    seat: Seat,
    news: str,
    now: dt.datetime,
    *,
    template: str,
    mine: bool = False,
    **context: object,
) -> list[Notice]:
    """The news for the player of a running seat, and what he has to decide."""
    phase = lookup.open_phase(event.game)
    body = layout.render(
        template,
        marker=MARKER,
        mine=mine,
        todo=todo(phase, seat, now),
        **said_by(event, seat.player.timezone),
        **context,
    )
    return to_seat(event, seat, subject=subject_of(event, news), body=body, phase=phase, now=now)


def seat_of_power(event: Event) -> Seat | None:
    """The tenure of the power that the event is about, unless another has begun since."""
    power = dict(facts_of(event).said())["power"]
    seats = [one for one in lookup.seats_of(event.game) if one.since <= event.created_at]
    return next((one for one in seats if one.power.name == power), None)
