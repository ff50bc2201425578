"""A player joined a game that still takes players: the GM is told (the player has a receipt)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.models import Event, Player
from mailer.notices import layout
from mailer.notices.notice import Notice, to_gm


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the GM."""
    player = Player.objects.get(pk=event.payload["player"])
    free = event.payload["free"]
    body = layout.render("player_joined", game=event.game, player=player, free=free)
    return to_gm(event, subject=f"{player.name} has joined", body=body)
