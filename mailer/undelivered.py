"""Mails that a server refused for good: the GM of the player hears of it before a deadline does."""

from __future__ import annotations

import datetime as dt

from games.models import Game, Seat
from mailer import outbox
from mailer.models import OutboundMail
from mailer.notices import layout
from mailer.notices.notice import about

KIND = "undelivered"
LOOK_BACK = dt.timedelta(days=1)
UNFINISHED = (Game.Status.FORMING, Game.Status.ACTIVE, Game.Status.PAUSED)


def tell_gms(*, now: dt.datetime) -> int:
    """Tell the GM of each seat whose player our mails do not reach, once a day; how many mails.

    Only what he needs: that the player is out of reach, and what the server said. What the mail
    was about may concern another game.
    """
    refused = OutboundMail.objects.filter(
        state=OutboundMail.State.FAILED,
        player__isnull=False,
        created_at__gt=now - LOOK_BACK,
    )
    errors = dict(refused.order_by("id").values_list("player", "last_error"))
    seats = Seat.objects.select_related("power__game__gm", "player").filter(
        player__in=errors, until=None, power__game__status__in=UNFINISHED
    )
    return sum(_tell(seat, errors[seat.player_id], now) for seat in seats.order_by("pk"))


def _tell(seat: Seat, error: str, now: dt.datetime) -> bool:
    game = seat.power.game
    key = f"{KIND}/{seat.pk}/{now.date()}"
    if game.gm is None or not game.gm.email or OutboundMail.objects.filter(key=key).exists():
        return False
    body = layout.render(KIND, game=game, power=seat.power, player=seat.player, error=error)
    outbox.enqueue(
        key=key,
        kind=KIND,
        recipient=game.gm.email,
        subject=about(game, f"Mail to {seat.player.name} ({seat.power.name}) does not arrive"),
        body=body,
        now=now,
        priority=OutboundMail.Priority.NOTICE,
    )
    return True
