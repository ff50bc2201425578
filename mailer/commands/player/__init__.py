"""The commands that a mail can contain: a class and a module for each, found by looking here."""

from __future__ import annotations

from mailer.commands.base import Arrival, PlayerCommand, Receipt
from mailer.commands.calls import Word
from mailer.commands.command import words_of
from mailer.commands.registry import one_of_each

__all__ = ["COMMANDS", "WORDS", "Arrival", "PlayerCommand", "Receipt"]

COMMANDS: dict[str, PlayerCommand] = {
    one.name: one for one in one_of_each(__name__, __path__, PlayerCommand)
}
"""Every command by its name."""

WORDS: dict[str, Word] = words_of(COMMANDS.values())
"""Every word that begins a command, in lower case."""
