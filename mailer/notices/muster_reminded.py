"""A muster is half over: who has not answered is asked again, nobody else is told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event, Game
from mailer.notices.muster_begun import questions, until
from mailer.notices.notice import Notice


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The question once more, unless the muster is over by now."""
    if event.game.status == Game.Status.MUSTER and until(event) > now:
        yield from questions(event, now, again=True)
