"""What a GM can do to a game: one class in one file each, found here, confirmed first."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping

from games.admin.actions.base import Action, Done, Group, Questions, Typed

__all__ = ["ACTIONS", "Action", "Done", "Group", "Questions", "Typed"]


def _found() -> dict[str, Action]:
    names = [name for _, name, _ in pkgutil.iter_modules(__path__)]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return {
        one.name: one()
        for module in modules
        for _, one in inspect.getmembers(module, inspect.isclass)
        if issubclass(one, Action) and one.__module__ == module.__name__ and one is not Action
    }


ACTIONS: Mapping[str, Action] = _found()
"""Every act by its name."""
