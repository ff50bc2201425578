"""Somebody proposes to end the game: every player hears how he can vote; the GM, too."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import VoteProposed
from games.models import Event
from mailer.notices.notice import Notice
from mailer.notices.votes import to_voters


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """What is proposed. Who proposed it is told in games with open votes only."""
    return to_voters(event, "vote_proposed", f"proposal {VoteProposed.of(event).number}", now)
