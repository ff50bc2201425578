"""A game's clock was stopped: every player and the GM are told why and until when.

Where the server stopped it, because nobody is left, the moderators are told, too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import GamePaused
from games.models import Event
from games.services.deadlines import SERVER
from mailer.notices import layout
from mailer.notices.moderators import to_moderators
from mailer.notices.notice import Notice
from mailer.notices.to_all import said_by, subject_of, to_all

NEWS = "the game is paused"


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for everybody."""
    yield from to_all(event, "game_paused", NEWS, now)
    if GamePaused.of(event).by == SERVER:
        body = layout.render("game_paused", gm=True, **said_by(event, event.game.timezone))
        yield from to_moderators(event, subject=subject_of(event, NEWS), body=body)
