"""The commands that a mail can hold: one class each, one module each, found by looking here."""

from __future__ import annotations

from mailer.command import words_of
from mailer.registry import one_of_each
from mailer.script import Word
from mailer.verbs.base import Arrival, Receipt, Verb

__all__ = ["VERBS", "WORDS", "Arrival", "Receipt", "Verb"]

VERBS: dict[str, Verb] = {one.name: one for one in one_of_each(__name__, __path__, Verb)}
"""Every command by its name."""

WORDS: dict[str, Word] = words_of(VERBS.values())
"""Every word that begins a command, in lower case."""
