"""Games that wait for orders which do not come: we open their seats again and again."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games import log
from games.events import SeatOpened, SeatReturned, SeatTaken, rows_saying
from games.models import Event, Game, Phase, Power
from games.queries.orders.waiting import powers_waited_for
from games.queries.players.seats import running_seat
from games.services.clock.deadlines import SERVER
from games.services.common import lock_game
from games.services.seating.standby import offers_make
from games.timing.pace import takeover_time

AGAIN = "The game is still waiting for its orders."


def seats_to_reopen(*, now: dt.datetime) -> list[tuple[Game, Power]]:
    """Return the powers whose players came lately, and have let their time to order pass."""
    waiting = Phase.objects.filter(
        status=Phase.Status.OPEN,
        overdue_at__isnull=False,
        all_in_at=None,
        game__status=Game.Status.ACTIVE,
        game__when_missing=Game.WhenMissing.WAIT,
    )
    return [
        (phase.game, power)
        for phase in waiting.select_related("game").order_by("pk")
        for power in _silent(phase, now)
    ]


@transaction.atomic
def seat_reopen(*, game: Game, power: Power, now: dt.datetime) -> Event | None:
    """Open the seat again and tell everybody; None when its orders have come meanwhile."""
    game = lock_game(game)
    phase = game.phases.filter(status=Phase.Status.OPEN, overdue_at__isnull=False).first()
    if game.status != Game.Status.ACTIVE or phase is None:
        return None
    phase.game = game
    late = next((one for one in _silent(phase, now) if one.pk == power.pk), None)
    if late is None:
        return None
    late.game, late.open_since = game, now
    late.save(update_fields=["open_since"])
    event = log.record(
        game=game,
        phase=phase,
        facts=SeatOpened(phase=phase.name, power=late.name, why=AGAIN),
        now=now,
    )
    offers_make(power=late, by=SERVER, now=now)
    return event


def _silent(phase: Phase, now: dt.datetime) -> list[Power]:
    names, needed = powers_waited_for(phase), takeover_time(phase)
    powers = phase.game.powers.filter(name__in=names, open_since=None)
    return [power for power in powers if _came_at(phase, power) + needed <= now]


def _came_at(phase: Phase, power: Power) -> dt.datetime:
    """The time since which the player may order: their tenure, their return, or the deadline."""
    moments = [phase.overdue_at or phase.opened_at]
    for kind in (SeatTaken, SeatReturned):
        came = rows_saying(phase.events.all(), kind, power=power.name).order_by("number").last()
        if came:
            moments.append(came.created_at)
    if seat := running_seat(power):
        moments.append(seat.since)
    return max(moments)
