"""A game has a time to start: we remind those who have joined, and tell them when it moves."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import StartMoved, StartReminded
from games.models import Event, Game
from games.queries.phases.musters import maker_without_place
from mailer.notices.news import News
from mailer.notices.notice import Notice
from mailer.notices.recipients.to_player import those_with_a_place, to_player
from mailer.text import MARKER

REMINDED = News("It starts {at}")
MOVED = News("It did not start; the new time is {to}")


def _waits_for(event: Event, at: dt.datetime) -> bool:
    return event.game.status == Game.Status.FORMING and event.game.starts_at == at


def remind(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Remind everybody, unless it has started meanwhile or its time was changed."""
    return (
        those_with_a_place(event, REMINDED, now)
        if _waits_for(event, StartReminded.of(event).at)
        else []
    )


def tell_moved(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Tell everybody when the game is to start instead, unless that has changed meanwhile.

    The player who made it hears, too: they may choose another time whether they play or not.
    """
    if not _waits_for(event, StartMoved.of(event).to):
        return
    yield from those_with_a_place(event, MOVED, now)
    if maker := maker_without_place(event.game):
        body = MOVED.body(event, maker.timezone, marker=MARKER, made=True, has_place=False)
        yield from to_player(event, maker, subject=MOVED.subject(event), body=body)
