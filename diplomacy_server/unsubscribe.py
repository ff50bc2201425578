"""The page behind List-Unsubscribe: one click ends this kind of mail, and no other."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.errors import WrongState
from games.models import Game, Player
from games.services.observers import observe_no_more
from games.services.reminders import reminders_set
from games.services.standby import standby_leave
from mailer.outbound.unsubscribe import Bulk, bulk_of, mail_of
from pages.mailto import mail_with

HOW_BACK = {
    Bulk.OBSERVER: "OBSERVE {game}",
    Bulk.REMINDER: "SET REMINDERS DEFAULT",
    Bulk.OFFER: "STANDBY",
}
"""The command that starts it again."""


@csrf_exempt  # programs click, without a cookie (RFC 8058); the link itself is the secret
@never_cache
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask on GET, because scanners of mails open every link; end it on POST, however often."""
    mail = mail_of(token)
    bulk = bulk_of(mail) if mail else None
    if mail is None or bulk is None or mail.player is None or mail.event is None:
        raise Http404
    game = mail.event.game
    if request.method == "POST":
        player = mail.player.merged_into or mail.player
        end(bulk, player=player, game=game, now=timezone.now())
    context = {
        "what": bulk.value.format(game=game.name),
        "back": (back := HOW_BACK[bulk].format(game=game.name)),
        "link": mail_with(back),
        "judge": settings.JUDGE_ADDRESS,
        "done": request.method == "POST",
    }
    return render(request, "unsubscribe.html", context)


@transaction.atomic
def end(bulk: Bulk, *, player: Player, game: Game, now: dt.datetime) -> None:
    """End it; what was ended before stays so. No seat is affected."""
    try:
        match bulk:
            case Bulk.OBSERVER:
                observe_no_more(game=game, player=player, now=now)
            case Bulk.REMINDER:
                reminders_set(player=player, text="off", now=now)
            case Bulk.OFFER:
                standby_leave(player=player, now=now)
    except WrongState:
        return
