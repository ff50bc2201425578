"""Delete a game that nobody has joined."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Nothing
from games.models import Game
from games.queries.access.staff_names import Actor
from games.services.setup.unstarted import delete_refused, game_delete


class Delete(GameAct[Nothing]):
    name = "delete"
    title = "Delete"
    help = "Take back a game that was made by mistake and that nobody has joined."
    grave = True
    group = Group.GAME
    instead = ("end",)
    when = frozenset({Status.FORMING})
    parameters = Nothing

    def lacks(self, subject: Game, now: dt.datetime) -> str:
        """Say why the game cannot be deleted, if so."""
        return delete_refused(subject)

    def forecast(self, subject: Game, given: Nothing, now: dt.datetime) -> Sequence[str]:
        return [
            f"The game {subject.name} is gone, as if it had never been; its name is free again.",
            "Nobody has joined, so nobody is told.",
        ]

    def do(self, subject: Game, given: Nothing, *, by: Actor, now: dt.datetime) -> Done:
        name = subject.name
        game_delete(game=subject)
        return Done(f"The game {name} is deleted.", gone=True)
