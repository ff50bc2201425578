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


def _modules() -> Iterator[str]:
    """The modules of this package and its subpackages, whose places only say what they are
    about."""
    return (found.name for found in pkgutil.walk_packages(__path__, f"{__name__}."))


def _one_of_each() -> Iterator[PlayerCommand]:
    for name in sorted(_modules(), key=lambda name: name.rpartition(".")[2]):
        module = importlib.import_module(name)
        for _, one in inspect.getmembers(module, inspect.isclass):
            own = one.__module__ == module.__name__
            if own and issubclass(one, PlayerCommand) and hasattr(one, "name"):
                yield one()


COMMANDS: dict[str, PlayerCommand] = {one.name: one for one in _one_of_each()}
"""Every command by its name."""

WORDS: dict[str, Word] = words_of(COMMANDS.values())
"""Every word that begins a command, in lower case."""
