"""Whether the server stands still."""

from __future__ import annotations

import datetime as dt

from django.db.models import Exists

from games.models import Halt


def will_move(due_at: dt.datetime) -> bool:
    """Say whether a deadline that has passed is moved, because the server stood still then."""
    halt = halt_now()
    return halt is not None and halt.began_at < due_at


def is_halted() -> Exists:
    """Whether the server stands still, for the statement that takes up work: so a worker stops
    after what it has in hand."""
    return Exists(Halt.objects.filter(is_on=True))


def halt_now() -> Halt | None:
    """Return the current halt, if there is one."""
    return Halt.objects.filter(is_on=True).first()
