"""What a GM can order by mail: one class each, one module each, found by looking here."""

from __future__ import annotations

from games.registry import one_of_each
from mailer.gm.base import GmCommand
from mailer.script import SIGNOFF, Takes, Word

__all__ = ["COMMANDS", "WORDS", "GmCommand"]

COMMANDS: dict[str, GmCommand] = {
    one.name: one for one in one_of_each(__name__, __path__, GmCommand)
}
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
