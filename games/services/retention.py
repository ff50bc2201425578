"""What is no longer kept of games that are over."""

from __future__ import annotations

import datetime as dt

from games.models import Press
from games.models.press import NO_LONGER_KEPT


def press_empty(*, before: dt.datetime, limit: int) -> int:
    """Empty the press of games that ended before this time, the oldest first; return how many
    letters.

    It stays known that there was press, and from whom to whom.
    """
    old = Press.objects.filter(game__finished_at__lt=before).exclude(text=NO_LONGER_KEPT)
    keys = list(old.order_by("pk").values_list("pk", flat=True)[:limit])
    return Press.objects.filter(pk__in=keys).update(text=NO_LONGER_KEPT, source="")
