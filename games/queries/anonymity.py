"""Who may know which player plays which power.

In an anonymous game nobody but the GM does until it is over. Whatever tells a player's name to
others asks here first.
"""

from __future__ import annotations

from games.models import Game, Player

SOMEBODY = "somebody, named when the game is over"


def names_shown(game: Game) -> bool:
    """Say whether players may learn each other's names."""
    return not game.anonymous or game.status == Game.Status.FINISHED


def name_for_players(player: Player, game: Game) -> str:
    """Return the name by which the other players of the game may know this one."""
    return player.name if names_shown(game) else SOMEBODY
