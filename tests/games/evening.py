"""A game that a player makes for one evening."""

from __future__ import annotations

from games.models import Game, Player
from games.services.setup.making import NewGame, game_make
from tests.cast import NOW


def evening_game(maker: Player) -> Game:
    """England against Turkey: yser starts on Saturday at 20:00, if both seats are taken."""
    game_make(
        player=maker,
        wanted=NewGame("yser", "evening", variant="england_turkey", start="Saturday 20:00"),
        now=NOW,
    )
    return Game.objects.get(name="yser")
