"""Somebody would like an open seat in a game whose GM lets people in: we tell those who run it, or
else the moderators, who it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import TakeoverAsked
from games.models import Event, Player
from games.queries.access.disclosure import attendance_told
from games.queries.access.roles import masters
from games.queries.access.run_by import moderators
from games.queries.players.attendance import reliability
from games.queries.players.reliability import reliability_text
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm
from mailer.notices.recipients.moderators import to_moderators

ASKED = News("{name} would like to play {power}")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """A mail with their name and reliability, unless somebody has taken the seat meanwhile."""
    facts = TakeoverAsked.of(event)
    if not event.game.powers.filter(name=facts.power, open_since__isnull=False).exists():
        return []
    player = Player.objects.get(pk=facts.player)
    readers = masters(event.game, now) or moderators()
    found = reliability(player, now=now, known=attendance_told(readers))
    known = reliability_text(found) if found.is_known else ""
    subject = ASKED.subject(event, name=player.name)
    said = {"name": player.name, "reliability": known}
    body = ASKED.body(event, event.game.timezone, gm=True, **said)
    if told := to_gm(event, subject=subject, body=body):
        return told
    return to_moderators(event, subject=subject, body=ASKED.body(event, "UTC", **said))
