"""A game goes back to an earlier phase: all players and the GM hear what is undone, and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.to_all import to_all


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The phase to be played again, with a reply address that is good for it."""
    return to_all(event, "game_rolled_back", "played again from here", now)
