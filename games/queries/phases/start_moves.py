"""How often the start of a game has moved because seats were free."""

from __future__ import annotations

from django.db.models import Max
from django.db.models.functions import Coalesce

from games.events import SettingsChanged, StartMoved
from games.models import Game

MOST_MOVES = 4
"""How often a start moves at most: nobody should be mailed for ever about a game that never
fills."""


def is_last_start(game: Game) -> bool:
    """Whether a game looking for players is closed, and its start not moved again, if seats are
    free at its time."""
    return start_moves(game) >= MOST_MOVES


def start_moves(game: Game) -> int:
    """Count the moves since its settings last changed: whoever changes them still cares for the
    game."""
    changed = game.events.filter(kind=SettingsChanged.kind)
    since = changed.aggregate(number=Coalesce(Max("number"), 0))["number"]
    return game.events.filter(kind=StartMoved.kind, payload__free__gt=0, number__gt=since).count()
