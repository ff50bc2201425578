"""The time at which a game is to start, as its settings change."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from games import lifecycle
from games.models import Game
from games.queries.parsing.start_times import start_moment, start_written
from games.timing.zones import known_zones

REMINDED_BEFORE = dt.timedelta(hours=3)


def start_set(game: Game, kept: str, now: dt.datetime) -> None:
    """Note on a game that has not started when it is to start, and whether its players are still to
    be reminded: not of a start so near that they have only just been told.

    The caller saves it.
    """
    game.start, game.starts_at = kept, start_moment(kept, game.timezone)
    is_near = game.starts_at is not None and game.starts_at - REMINDED_BEFORE <= now
    game.start_reminded_at = now if is_near else None


def start_read(game: Game, changes: Mapping[str, object], now: dt.datetime) -> Mapping[str, object]:
    """Return changes of settings, with a new time of the start as a game keeps it.

    Raises BadInput for one that cannot be read or has passed, on the clocks of a new time zone,
    too; WrongState once the game no longer looks for players.
    """
    written = str(changes.get("start", game.start))
    zone = str(changes.get("timezone", game.timezone))
    if written == game.start and (zone == game.timezone or not game.starts_at):
        return changes
    lifecycle.require(game, Game.Status.FORMING)
    if zone not in known_zones():
        return changes  # whoever checks them says so
    return {**changes, "start": start_written(written, zone, now)}
