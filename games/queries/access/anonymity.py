"""Who may know which player plays which power.

In an anonymous game only the GM may, until it is over. Code that tells others a player's name asks
here first.
"""

from __future__ import annotations

import re

from games.models import Game, Player

SOMEBODY = "somebody, named when the game is over"


def names_shown(game: Game) -> bool:
    """Say whether players may learn each other's names."""
    return not game.anonymous or game.status == Game.Status.FINISHED


def name_for_players(player: Player, game: Game) -> str:
    """Return the name by which the game's other players may know this one."""
    return player.name if names_shown(game) else SOMEBODY


def names_told(game: Game, text: str) -> list[str]:
    """Return the players whose names a text reveals to people who may not learn them.

    Names count whole or by the first name, with their capitals, since words like "will" name
    nobody.
    """
    if names_shown(game):
        return []
    players = Player.objects.filter(seats__power__game=game).distinct().order_by("name")
    return [one.name for one in players if _is_named(one.name, text)]


def _is_named(name: str, text: str) -> bool:
    ways = "|".join(map(re.escape, (name, name.split()[0])))
    return re.search(rf"(?<!\w)(?:{ways})(?!\w)", text) is not None
