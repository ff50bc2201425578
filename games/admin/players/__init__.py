"""What a moderator can do about a player: one class in one file each, found here."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping

from games.admin.players.base import PlayerAct

__all__ = ["PLAYER_ACTS", "PlayerAct"]


def _found() -> dict[str, PlayerAct]:
    names = [name for _, name, _ in pkgutil.iter_modules(__path__)]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return {
        one.name: one()
        for module in modules
        for _, one in inspect.getmembers(module, inspect.isclass)
        if issubclass(one, PlayerAct) and one.__module__ == module.__name__ and one is not PlayerAct
    }


PLAYER_ACTS: Mapping[str, PlayerAct] = _found()
"""Every act by its name."""
