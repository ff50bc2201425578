"""What a GM can order by mail: one class each, one module each, found by looking here."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

from mailer.gm.base import GmCommand
from mailer.script import SIGNOFF, Takes, Word

__all__ = ["COMMANDS", "WORDS", "GmCommand"]


def _found() -> Iterator[GmCommand]:
    for module in pkgutil.iter_modules(__path__):
        classes = inspect.getmembers(importlib.import_module(f"{__name__}.{module.name}"))
        for _, thing in classes:
            if inspect.isclass(thing) and issubclass(thing, GmCommand) and hasattr(thing, "name"):
                yield thing()


COMMANDS: dict[str, GmCommand] = {command.name: command for command in _found()}
"""Every command by its name."""

_SIGNOFF = Word(SIGNOFF, Takes.NOTHING)

WORDS: dict[str, Word] = {
    SIGNOFF: _SIGNOFF,
    "quit": _SIGNOFF,
} | {
    word: Word(one.name, one.takes, one.argument, one.has_body, one.prose)
    for one in COMMANDS.values()
    for word in (one.name, *one.aliases)
}
"""Every word that begins a command of a GM, or ends his mail, in lower case."""
