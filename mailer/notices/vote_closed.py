"""A proposal can no longer be voted on: it has expired, was withdrawn or was refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.votes import to_voters


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """What became of it, without a word on who had voted what."""
    news = f"proposal {event.payload['number']} {event.payload['how']}"
    return to_voters(event, "vote_closed", news, now)
