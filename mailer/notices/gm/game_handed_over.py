"""A game has another GM: we tell all who play in it, or wait for its start, and all who run it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from games.models import Event
from mailer.notices.audiences import players_and_gm
from mailer.notices.gm import co_gms
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm
from mailer.notices.recipients.to_player import those_with_a_place

NEWS = News("The game has a new game master")
YOURS = News("You are the game master now")


def notices(event: Event, now: dt.datetime) -> Iterator[Notice]:
    """The news for everybody; before the start, for the players who have a place, and the staff.

    A former GM who does not stay on as co-GM reads so, and the new one reads that the game is
    theirs.
    """
    yield from co_gms.gave_up(event)
    told = players_and_gm if event.game.started_at else those_with_a_place
    yours = _to_the_new_gm(event)
    yield from (yours.get(one.key, one) for one in told(event, NEWS, now))


def _to_the_new_gm(event: Event) -> dict[str, Notice]:
    """The new GM's own words in place of the news about themselves, by its key."""
    gm = event.game.gm
    body = YOURS.body(event, event.game.timezone, gm=True, yours=True)
    mails = to_gm(event, subject=YOURS.subject(event), body=body)
    return {one.key: one for one in mails if gm is not None and one.recipient == gm.email}
