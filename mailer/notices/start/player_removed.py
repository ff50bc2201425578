"""Somebody lost their place before the start because whoever runs the game took it away: we tell
them, and the others who run it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import PlayerRemoved
from games.models import Event, Player
from games.queries.players.places import wishes_to_join
from games.queries.reports.wording import counted, listed
from mailer.notices.news import News
from mailer.notices.notice import Notice, to_gm
from mailer.notices.recipients.to_player import to_player
from mailer.text import MARKER

REMOVED = News("You no longer have a place")


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mail for the player, then one for each who runs the game, but not for whoever did it."""
    removed = PlayerRemoved.of(event)
    player = Player.objects.get(pk=removed.player)
    body = REMOVED.body(event, player.timezone, marker=MARKER, mine=True)
    yield from to_player(event, player, subject=REMOVED.subject(event), body=body)
    free = counted(removed.free, "seat is", "seats are")
    waiting = listed([one.name for one, _ in wishes_to_join(event.game)])
    said = {"name": player.name, "free": free, "waiting": waiting}
    body = REMOVED.body(event, event.game.timezone, **said)
    subject = f"{player.name} no longer has a place"
    yield from to_gm(event, subject=subject, body=body, but=removed.user)
