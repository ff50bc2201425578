"""A player joined a game that still takes players: the GM is told (the player has a receipt).

Those whom the GM seated are told, too: which power is theirs, and how they can give it back.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import PlayerJoined
from games.models import Event, Player
from mailer.notices.notice import Notice, to_gm
from mailer.notices.to_player import to_player
from mailer.outbound import layout
from mailer.text import MARKER


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the GM, and for the player where somebody else gave them the place."""
    joined = PlayerJoined.of(event)
    player = Player.objects.get(pk=joined.player)
    body = layout.render("player_joined", game=event.game, player=player, free=joined.free)
    yield from to_gm(event, subject=f"{player.name} has joined", body=body)
    if joined.power:
        said = {**dict(joined.said()), "game": event.game.name, "marker": MARKER}
        body = layout.render("seat_given", **said)
        subject = f"You will play {joined.power}"
        yield from to_player(event, player, subject=subject, body=body, now=now)
