"""Somebody who runs the server made a game for its GM: we tell the GM that it is theirs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.conf import settings

from games.events import GameCreated
from games.models import Event
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm

NEWS = News("You are the game master")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The news for the GM; none for a GM who made the game themselves, and knows."""
    if not GameCreated.of(event).tells_gm:
        return []
    body = NEWS.body(event, event.game.timezone, site=settings.SITE_URL)
    return to_gm(event, subject=NEWS.subject(event), body=body)
