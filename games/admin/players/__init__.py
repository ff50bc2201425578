"""What a moderator can do about a player: one class in one file each, found here."""

from __future__ import annotations

from collections.abc import Mapping

from games.admin.players.base import PlayerAct
from games.registry import one_of_each

__all__ = ["PLAYER_ACTS", "PlayerAct"]


PLAYER_ACTS: Mapping[str, PlayerAct] = {
    one.name: one for one in one_of_each(__name__, __path__, PlayerAct)
}
"""Every act by its name."""
