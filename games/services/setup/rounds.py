"""The games of a round of a tournament, made and their players seated in one go."""

from __future__ import annotations

import datetime as dt
from typing import cast

from django.db import transaction

from games.models import Game
from games.queries.tournaments.rounds import GamePlanned, RoundPlanned
from games.services.seating.joining import seat_give
from games.services.setup.games import game_create, settings_to_copy
from games.settings import GameSettings


@transaction.atomic
def round_make(*, like: Game, planned: RoundPlanned, by: str, now: dt.datetime) -> list[Game]:
    """Make the games of a round with the settings and the GM of another game, and seat everybody.

    Each game starts with its last seat. Raises BadInput for a name that is taken or
    cannot be one, NotAllowed for a player who may take no seat, WrongState while the whole server
    stands still; then nothing is made.
    """
    why = f"Drawn for the round {planned.name} of the tournament {like.tournament}."
    return [_make(like, one, why, by, now) for one in planned.games]


def _make(like: Game, planned: GamePlanned, why: str, by: str, now: dt.datetime) -> Game:
    settings = {**settings_to_copy(like), "name": planned.name, "gm": like.gm}
    game = game_create(**cast(GameSettings, settings), now=now)
    powers = {power.name: power for power in game.powers.all()}
    for name, player in planned.seats:
        seat_give(game=game, power=powers[name], player=player, why=why, by=by, now=now)
    return game
