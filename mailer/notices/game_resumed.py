"""A game's clock runs again: every player and the GM are told the new deadline."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.to_all import to_all


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The new deadline in each reader's own zone."""
    return to_all(event, "game_resumed", "the game goes on", now)
