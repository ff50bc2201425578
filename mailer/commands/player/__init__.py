"""The commands that a mail can contain: a class and a module for each, found by looking here."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

from mailer.commands.base import PlayerCommand
from mailer.commands.calls import Word
from mailer.commands.command import words_of

__all__ = ["COMMANDS", "WORDS"]


def _one_of_each() -> Iterator[PlayerCommand]:
    for found in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{found.name}")
        for _, one in inspect.getmembers(module, inspect.isclass):
            own = one.__module__ == module.__name__
            if own and issubclass(one, PlayerCommand) and hasattr(one, "name"):
                yield one()


COMMANDS: dict[str, PlayerCommand] = {one.name: one for one in _one_of_each()}
"""Every command by its name."""

WORDS: dict[str, Word] = words_of(COMMANDS.values())
"""Every word that begins a command, in lower case."""
