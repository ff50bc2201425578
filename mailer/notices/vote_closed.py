"""A proposal can no longer be voted on: it has expired, was withdrawn or was refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import VoteClosed
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.votes import to_voters


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """What became of it, without a word on who had voted what."""
    said = VoteClosed.of(event)
    news = f"proposal {said.number} {said.how}"
    return to_voters(event, "vote_closed", news, now)
