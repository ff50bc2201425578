"""Changes that a game allows only before it starts: renaming and deleting it."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import ProtectedError

from games import lifecycle, log
from games.errors import WrongState
from games.events import GameRenamed
from games.models import Game, Seat
from games.services.common import lock_game
from games.services.setup.game_faults import game_faults, name_guarded, require_none

MAILED = (
    "People were mailed about {}: invited, say, or told its new name. So it cannot be deleted. "
    "End it instead, with no result."
)


@transaction.atomic
def game_rename(*, game: Game, to: str, by: str, now: dt.datetime) -> Game:
    """Give a forming game another name and tell those who have joined.

    Raises BadInput when the name is taken or unusable, WrongState when it is the same or the game
    is no longer looking for players.
    """
    game = lock_game(game)
    lifecycle.require(game, Game.Status.FORMING)
    before, game.name = game.name, to.strip()
    if before == game.name:
        raise WrongState(f"The game is already called {before}.")
    require_none([fault for fault in game_faults(game) if fault[0] == "name"])
    with name_guarded(game):
        game.save(update_fields=["name"])
    log.record(game=game, facts=GameRenamed(before=before, to=game.name, by=by), now=now)
    return game


@transaction.atomic
def game_delete(*, game: Game) -> None:
    """Delete a forming game that nobody has ever joined, follows, or was mailed about.

    Raises WrongState.
    """
    game = lock_game(game)
    lifecycle.require(game, Game.Status.FORMING)
    if refused := delete_refused(game):
        raise WrongState(refused)
    try:
        game.delete()
    except ProtectedError as error:  # mails point to what they tell of, and are kept
        raise WrongState(MAILED.format(game.name)) from error


def delete_refused(game: Game) -> str:
    """Return why the game cannot be deleted, "" if it can."""
    seated = Seat.objects.filter(power__game=game)
    followed = game.watchers.filter(until=None)
    if any(rows.exists() for rows in (game.applications, seated, game.press, followed)):
        return (
            f"People have joined {game.name}, follow it, or were written to, and its log is "
            "theirs, too: end it instead, and they are told."
        )
    return ""
