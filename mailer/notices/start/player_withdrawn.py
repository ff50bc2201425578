"""A player lost their place before the start: we tell the GM (the player knows already)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import PlayerWithdrawn
from games.models import Event, Player
from games.queries.players.places import wishes_to_join
from games.queries.reports.wording import counted, listed
from mailer.notices.notice import Notice, to_gm
from mailer.outbound import layout


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The mail for the GM. The reason stays between the moderators and the player."""
    said = PlayerWithdrawn.of(event)
    player = Player.objects.get(pk=said.player)
    free = counted(said.free, "seat is", "seats are")
    waiting = listed([player.name for player, _ in wishes_to_join(event.game)])
    told = {"game": event.game.name, "player": player.name, "free": free, "waiting": waiting}
    body = layout.render("player_withdrawn", **told)
    return to_gm(event, subject=f"{player.name} no longer plays", body=body)
