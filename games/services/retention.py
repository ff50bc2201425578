"""What is no longer kept of games that are over."""

from __future__ import annotations

import datetime as dt

from games.models import Press
from games.models.press import NO_LONGER_KEPT


def press_empty(*, before: dt.datetime, limit: int) -> int:
    """Take the text out of press in games that ended before this time, the oldest first; return of
    how many. That there was press, from whom and to whom, stays."""
    old = Press.objects.filter(game__finished_at__lt=before).exclude(text=NO_LONGER_KEPT)
    keys = list(old.order_by("pk").values_list("pk", flat=True)[:limit])
    return Press.objects.filter(pk__in=keys).update(text=NO_LONGER_KEPT, source="")
