"""Tenures of a power, one after another, read without a board."""

from __future__ import annotations

from games.models import Seat


def held_now(seat: Seat) -> Seat:
    """Return the tenure in which this one's player plays its power now. It is a different one if
    they were away in between; if they no longer play the power, it is the same one."""
    if seat.until is None:
        return seat
    tenures = Seat.objects.select_related("power__game", "player")
    again = tenures.filter(power=seat.power_id, player=seat.player_id, until=None)
    return again.first() or seat
