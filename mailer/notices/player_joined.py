"""A player joined a game that still takes players: the GM is told (the player has a receipt).

Of those who joined since the GM was told last there is one mail, so that a large game that fills
within minutes brings no dozens.

Those whom the GM seated are told, too: which power is theirs, and how they can give it back.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from games.events import PlayerJoined
from games.models import Event, Player
from mailer.models import OutboundMail
from mailer.notices.notice import Notice, gm_key, to_gm
from mailer.notices.to_player import to_player
from mailer.outbound import layout
from mailer.text import MARKER, listed


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """Word for the GM, and for the player where somebody else gave them the place."""
    joined = PlayerJoined.of(event)
    player = Player.objects.get(pk=joined.player)
    yield from _word_for_gm(event)
    if joined.power:
        said = {**dict(joined.said()), "game": event.game.name, "marker": MARKER}
        body = layout.render("seat_given", **said)
        subject = f"You will play {joined.power}"
        yield from to_player(event, player, subject=subject, body=body, now=now)


def _word_for_gm(event: Event) -> Iterable[Notice]:
    """Who joined since the last such mail; nothing while a later event will tell it, or has."""
    joins = event.game.events.filter(kind=PlayerJoined.kind)
    later = joins.filter(number__gt=event.number)
    if later.filter(told_at=None).exists() or _told_by_mail(later):
        return []
    since = []
    for one in joins.filter(number__lte=event.number).order_by("-number"):
        if one != event and _told_by_mail([one]):
            break
        since.append(PlayerJoined.of(one))
    names = dict(
        Player.objects.filter(pk__in=[one.player for one in since]).values_list("pk", "name")
    )
    who = [names[one.player] for one in reversed(since)]
    said = {"game": event.game, "who": listed(who), "several": len(who) > 1}
    body = layout.render("player_joined", free=since[0].free, **said)
    subject = f"{who[0]} has joined" if len(who) == 1 else f"{len(who)} players have joined"
    return to_gm(event, subject=subject, body=body)


def _told_by_mail(joins: Iterable[Event]) -> bool:
    """Whether the GM was mailed one of these."""
    keys = [gm_key(one) for one in joins]
    return OutboundMail.objects.filter(key__in=keys).exists()
