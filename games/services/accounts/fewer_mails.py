"""Stop all mails at once that somebody gets without playing."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from games.models import Player
from games.services.clock.reminders import reminders_set
from games.services.common import lock_player
from games.services.moderation.seats_lost import lock_games_of
from games.services.seating.observers import observe_nothing
from games.services.seating.standby import standby_leave
from games.timing.reminders import OFF


@dataclass(frozen=True, slots=True)
class Ended:
    """What somebody no longer gets: results of games that they observed (by name), offers of open
    seats, reminders before deadlines."""

    observed: tuple[str, ...]
    offers: bool
    reminders: bool


@transaction.atomic
def bulk_mails_end(*, player: Player, now: dt.datetime) -> Ended:
    """End them all and return what ended. Nobody loses a seat or a place by it.

    The player is locked before their games, as in every decision about them.
    """
    player = lock_player(player)
    lock_games_of(player)
    games = observe_nothing(player=player, now=now)
    offers = player.standby.filter(until=None).exists()
    if offers:
        standby_leave(player=player, now=now)
    reminders = player.reminders != OFF
    if reminders:
        reminders_set(player=player, text=OFF, now=now)
    return Ended(tuple(game.name for game in games), offers, reminders)
