"""A player who writes before anybody has taken their open seat: it is theirs again."""

from __future__ import annotations

import datetime as dt

from games import log
from games.events import SeatReturned
from games.models import UNFINISHED, Event, Phase, Player, Power, Seat
from games.services.standby import offers_end


def seat_keep(*, seat: Seat, now: dt.datetime) -> Phase | None:
    """Close the seat again, because its player has written; None if it was not open.

    Returns the phase that is being played. The caller has read the seat since it holds the game's
    lock, and sees then whether all is in.
    """
    if seat.power.open_since is None:
        return None
    power = Power.objects.select_related("game").get(pk=seat.power_id)
    phase = power.game.phases.select_related("game").filter(status__in=UNFINISHED).first()
    if phase is None:
        return None
    waited = power.disorder_since is None
    seat_close(power=power, now=now)
    seat.power.open_since = seat.power.disorder_since = None
    returned(seat=seat, phase=phase, in_time=waited, now=now)
    return phase


def seat_close(*, power: Power, taken_by: Player | None = None, now: dt.datetime) -> None:
    """Make the seat no longer open, and its power no longer in civil disorder; end the offers."""
    power.open_since = power.disorder_since = None
    power.save(update_fields=["open_since", "disorder_since"])
    offers_end(power=power, taken_by=taken_by, now=now)


def returned(*, seat: Seat, phase: Phase, now: dt.datetime, in_time: bool = False) -> Event:
    """Record that the player of this seat is back; `in_time`: the game only waited for them."""
    return log.record(
        game=phase.game,
        phase=phase,
        facts=SeatReturned(phase=phase.name, power=seat.power.name, seat=seat.pk, in_time=in_time),
        now=now,
    )
