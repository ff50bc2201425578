"""A player lost his place before the start: the GM is told (whoever did it told the player)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event, Player
from mailer.notices import layout
from mailer.notices.notice import Notice, to_gm
from mailer.wording import counted


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the GM. Why it was done is between the moderators and the player."""
    player = Player.objects.get(pk=event.payload["player"])
    free = counted(event.payload["free"], "seat is", "seats are")
    body = layout.render("player_withdrawn", game=event.game.name, player=player.name, free=free)
    return to_gm(event, subject=f"{player.name} no longer plays", body=body)
