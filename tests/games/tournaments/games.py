"""Games of one tournament, and their ends."""

from __future__ import annotations

from games.models import Game
from games.services.endings.ending import game_end
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import NOW, POWERS, Cast

CUP = "spring-cup"


def another(cast: Cast, name: str, turned: int = 1, **settings: object) -> Game:
    """Start one more game of the tournament: everybody plays what another played in the first."""
    chosen = {"tournament": CUP, "scoring": "draw-size", **settings}
    game = game_create(name=name, gm=cast.gm, now=NOW, **chosen)  # type: ignore[arg-type]
    powers = list(POWERS.values())
    for index, player in enumerate(POWERS):
        power = powers[(index + turned) % len(powers)]
        game_join(game=game, player=cast.player(player), preferences=power, now=NOW)
    game.refresh_from_db()
    return game


def end(game: Game, *winners: str) -> None:
    game_end(game=game, winners=winners, why="Agreed.", by="the GM", now=NOW)
