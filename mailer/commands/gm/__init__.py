"""What a GM can order by mail: one class each, one module each, found by looking here."""

from __future__ import annotations

from games.registry import one_of_each
from mailer.command import words_of
from mailer.gm.base import GmCommand
from mailer.script import SIGNOFF, Takes, Word

__all__ = ["COMMANDS", "WORDS", "GmCommand"]

COMMANDS: dict[str, GmCommand] = {
    one.name: one for one in one_of_each(__name__, __path__, GmCommand)
}
"""Every command by its name."""

_SIGNOFF = Word(SIGNOFF, Takes.NOTHING)

WORDS: dict[str, Word] = {SIGNOFF: _SIGNOFF, "quit": _SIGNOFF} | words_of(COMMANDS.values())
"""Every word that begins a command of a GM, or ends his mail, in lower case."""
