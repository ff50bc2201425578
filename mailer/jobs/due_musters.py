"""Musters whose time is over, and games whose time to start has come: sees to each once all mail is
read, and tells people."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games.models import Game
from games.services.clock.muster import muster_longer, muster_proceed
from games.services.clock.starts import TOO_LATE, start_proceed
from mailer.inbound import outages, store
from mailer.jobs import telling
from mailer.outbound.untold import Delivery, how_muster_was_told, unasked_players


def proceed(game_id: int, now: dt.datetime) -> None:
    """End a muster, or remind the silent, and queue the mails.

    Everything that came in time has been read, and the silent were asked in time. If most were not,
    they get the time again.
    """
    late: list[Game] = []

    def ready(game: Game) -> bool:
        asked = how_muster_was_told(game) if _all_read(game, now) else Delivery.NOT_YET
        if asked is Delivery.LATE:
            late.append(game)
        return asked is Delivery.IN_TIME

    with transaction.atomic():
        event = muster_proceed(game_id=game_id, now=now, ready=ready, unasked=unasked_players)
        for game in late:
            event = muster_longer(game=game, now=now)
        if event:
            telling.tell_safely(event, now)


def start(game_id: int, now: dt.datetime) -> None:
    """Start a game at its time, put it off, or remind its players, and queue the mails.

    All mail that came in time, to join or to leave, has been read.
    """

    def ready(game: Game) -> bool:
        at, settle = game.starts_at, outages.settle_before(TOO_LATE)
        return at is not None and store.all_mail_read(due_at=at, settle=settle, game=game, now=now)

    with transaction.atomic():
        if event := start_proceed(game_id=game_id, now=now, ready=ready):
            telling.tell_safely(event, now)


def _all_read(game: Game, now: dt.datetime) -> bool:
    """Whether we have read all mail that came before the end of the game's muster."""
    settle = outages.settle_before(game.muster)
    until = game.muster_until
    return until is not None and store.all_mail_read(
        due_at=until, settle=settle, game=game, now=now
    )
