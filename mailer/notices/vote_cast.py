"""A vote in a game with open votes: everybody hears who voted what."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import VoteCast
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.votes import to_voters


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Which power voted, and what. There is no such event where votes are secret."""
    return to_voters(event, "vote_cast", f"a vote on proposal {VoteCast.of(event).number}", now)
