"""A game's clock was stopped: every player and the GM are told why and until when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.to_all import to_all


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for everybody."""
    return to_all(event, "game_paused", "the game is paused", now)
