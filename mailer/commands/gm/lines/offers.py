"""Suggests a line that works in place of a wish that is too vague to carry out."""

from __future__ import annotations

from games.models import Game
from mailer.commands.calls import Call
from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.lines.doubts import puts_off, says_more
from mailer.commands.gm.lines.plain_words import as_command
from mailer.commands.gm.lines.reasons import can_be_read
from mailer.commands.lines.which_command import command_in, word_of


def offer_for(asked: str, game: Game) -> str:
    """What to write for a line that asks for a command in plain words; "" for any other."""
    text = as_command(asked).rstrip(" ?")
    word, argument = command_in(text, WORDS)
    if text == asked or word is None:
        return ""
    usage = COMMANDS[word.command].usage if word.command in COMMANDS else text.upper()
    if puts_off(argument) and word.command in COMMANDS:
        return f". {COMMANDS[word.command].not_now(argument, game)}"
    if says_more(word.command, argument) or "?" in argument:
        return f". To have that done, write: {usage}"
    if word.command not in COMMANDS:
        return f". To have that done, write: {text}"
    call = Call(word.command, argument, 0, word=word_of(text))
    works = can_be_read(call, game)
    reasoned = can_be_read(Call(call.command, f"{argument} because reason".strip(), 0), game)
    line = text if works else f"{text.rstrip(' ,.;:!')} because reason" if reasoned else usage
    return f". To have that done, write: {line}"
