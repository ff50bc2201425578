"""A game's life: which status may follow which.

forming ⇄ muster ──► active ⇄ paused
   │         │         │        │
   └─────────┴─────────┴────────┴──► finished ──► active, only by a rollback

A forming game without a muster becomes active at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.errors import GameOver, WrongState
from games.models import Game

Status = Game.Status

FOLLOWING: Mapping[Status, frozenset[Status]] = {
    Status.FORMING: frozenset({Status.MUSTER, Status.ACTIVE, Status.FINISHED}),
    Status.MUSTER: frozenset({Status.FORMING, Status.ACTIVE, Status.FINISHED}),
    Status.ACTIVE: frozenset({Status.PAUSED, Status.FINISHED}),
    Status.PAUSED: frozenset({Status.ACTIVE, Status.FINISHED}),
    Status.FINISHED: frozenset({Status.ACTIVE}),
}

_SENTENCES: Mapping[Status, str] = {
    Status.FORMING: "The game {name} has not started yet.",
    Status.MUSTER: "The game {name} is waiting for its players to say that they are here.",
    Status.ACTIVE: "The game {name} is already being played.",
    Status.PAUSED: "The game {name} is paused.",
    Status.FINISHED: "The game {name} is over.",
}


def change_status(game: Game, to: Status) -> None:
    """Give the game its next status, without saving it. Raises WrongState."""
    if to not in FOLLOWING[Status(game.status)]:
        raise WrongState(state_sentence(game))
    game.status = to


def require(game: Game, *allowed: Status) -> None:
    """Raise WrongState unless the game has one of the allowed statuses: GameOver if it is over."""
    if game.status not in allowed:
        said, is_over = state_sentence(game), game.status == Status.FINISHED
        raise GameOver(said, game=game.pk) if is_over else WrongState(said)


def state_sentence(game: Game) -> str:
    """Say how the game stands, e.g. "The game marne is over."."""
    return _SENTENCES[Status(game.status)].format(name=game.name)
