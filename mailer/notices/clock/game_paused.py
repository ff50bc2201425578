"""A game's clock has stopped: we tell every player and the GM why, and until when.

If the server stopped it because nobody is left, we tell the moderators, too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import GamePaused
from games.models import Event
from games.services.clock.deadlines import SERVER
from mailer.notices.audiences import players_and_gm_of_a_deadline
from mailer.notices.news import News
from mailer.notices.notice import Notice
from mailer.notices.recipients.moderators import to_moderators

NEWS = News("{title}: the game is paused")
AGAIN = News("{title}: the end of the pause has changed")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mails for everybody."""
    news = AGAIN if GamePaused.of(event).again else NEWS
    yield from players_and_gm_of_a_deadline(event, news, now)
    if GamePaused.of(event).by == SERVER:
        body = NEWS.body(event, event.game.timezone, gm=True)
        yield from to_moderators(event, subject=NEWS.subject(event), body=body)
