"""Acts as whoever runs the server does them in a shell."""

from __future__ import annotations

from typing import TypeVar

from django.utils import timezone

from games.acts import Done, GameAct
from games.errors import WrongState
from games.models import Game

OPERATOR = "the operator"

P = TypeVar("P")


def perform(act: GameAct[P], game: Game, given: P) -> Done:
    """Do an act on the game, read afresh. Raises GameError."""
    now = timezone.now()
    expected = act.stamp(game)
    if why_not := act.why_not(game, now):
        raise WrongState(why_not)
    return act.perform(game, given, by=OPERATOR, now=now, expected=expected)
