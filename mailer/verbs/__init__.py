"""The commands that a mail can hold: one class each, one module each, found by looking here."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from mailer.script import Word
from mailer.verbs.base import Arrival, Receipt, Verb

__all__ = ["VERBS", "WORDS", "Arrival", "Receipt", "Verb"]


def _found() -> Iterator[Verb]:
    for module in pkgutil.iter_modules(__path__):
        found = vars(importlib.import_module(f"{__name__}.{module.name}")).values()
        for thing in found:
            if isinstance(thing, type) and issubclass(thing, Verb) and hasattr(thing, "name"):
                yield thing()


VERBS: dict[str, Verb] = {verb.name: verb for verb in _found()}
"""Every command by its name."""

WORDS: dict[str, Word] = {
    word: Word(verb.name, verb.takes, verb.argument, verb.has_body, verb.prose)
    for verb in VERBS.values()
    for word in (verb.name, *verb.aliases)
}
"""Every word that begins a command, in lower case."""
