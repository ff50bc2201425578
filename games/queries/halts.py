"""Whether the server stands still."""

from __future__ import annotations

from games.models import Halt


def halt_now() -> Halt | None:
    """Return the halt that is on, if one is."""
    return Halt.objects.filter(is_on=True).first()
