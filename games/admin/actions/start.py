"""Start a game whose seats are all taken."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from games.admin.actions.base import Action, Done, Group, Status, Typed, listed
from games.durations import duration_text
from games.models import Game
from games.services.games import game_start, seats_free


class Start(Action):
    name = "start"
    label = "Start the game"
    what = "Give out the powers by the preference lists, open the first phase and tell everybody."
    group = Group.GAME
    when = frozenset({Status.FORMING})

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        joined = game.applications.filter(withdrawn_at=None).order_by("created_at")
        names = list(joined.values_list("player__name", flat=True))
        length = game.movement_length + game.first_extra
        free = seats_free(game)
        seats = f"{free} seats are still free." if free else "All seats are taken."
        return [
            f"{seats} Who has joined: {listed(names) or 'nobody'}.",
            "The powers are given out by the preference lists, by lot where they meet.",
            f"The first phase lasts {duration_text(length)}, or until the next time of the clock.",
            "Every player gets a mail with his power, his units and the deadline.",
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        game_start(game=game, now=now)
        return Done(f"The game {game.name} has started.")
