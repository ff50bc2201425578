"""Finds a game master's reason on the lines below a command, rather than after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count, takewhile

from games.errors import GameError
from games.models import Game
from games.queries.board import JudgeError, reads_as_order
from mailer.commands.calls import Call, Takes
from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import FEWEST_WORDS, LETTERS, TAKES_BACK
from mailer.commands.lines.which_command import nearest_command
from mailer.reading.patterns import says
from mailer.reading.quotes import Line

_ASKS = says(
    r"\W*(?:(?:please|and|but|also|by the way|btw|just|hi|hello)\W+)*(?:"
    r"(?:i(?: was| am|['’]?m)? )?(?:just )?wonder(?:ing|ed)?\b"
    "|(?:who|whom|whose|what|which|how|where|why|when)"
    r" (?:is|are|was|were|do|does|did|has|have|can|will|should|many|much|long|late)\b"
    r"|(?:can|could|would|will) (?:you|i|we|some(?:body|one))\b"
    r"|(?:is|are) (?:it|there|they|we|all)\b|(?:do|does) (?:you|any(?:body|one))\b"
    r"|(?:tell|remind) (?:me|us)\b|let (?:me|us) know\b|any idea\b"
    r"|i(?:['’]d| would) like to know\b|i (?:want|need) to know\b)",
)
"""How a question begins that has no question mark: "I was wondering who is late"."""


def with_reasons(block: Call, game: Game) -> Call:
    """The commands of a mail, each with its reason.

    Lines below a command are no reason if it has one already, or would be refused all the same.
    """
    stray = {
        line.number: line
        for one in block.calls
        if one.command not in COMMANDS
        for line in one.lines
    }
    taken = {one.number: _below(one, stray, game) for one in block.calls if stray}
    used = {line.number for lines in taken.values() for line in lines}
    kept = (_with(one, taken.get(one.number, []), used) for one in block.calls)
    return replace(block, calls=tuple(one for one in kept if one))


def _below(call: Call, stray: Mapping[int, Line], game: Game) -> list[Line]:
    """The lines right below a command that are its reason."""
    numbers = takewhile(stray.__contains__, count(call.number + 1))
    lines = [stray[number] for number in numbers]
    if call.command not in COMMANDS or not lines or not all(map(_is_sentence, lines)):
        return []
    is_needed = not can_be_read(call, game)
    return lines if is_needed and can_be_read(_because(call, lines), game) else []


def _is_sentence(line: Line) -> bool:
    """Whether a line says something to the players: it is no order, no failed command, no name, no
    question, and not about the command itself."""
    first = line.text.split()[0]
    shouted = first.isupper() and len(first) > 1
    is_command = shouted or bool(nearest_command(first, WORDS))
    if is_command or len(LETTERS.findall(line.text)) < FEWEST_WORDS:
        return False
    is_for_us = "?" in line.text or TAKES_BACK.match(line.text) or _ASKS.match(line.text)
    return not (is_for_us or reads_as_order(line.text))


def _with(call: Call, reason: list[Line], used: set[int]) -> Call | None:
    """The call with its reason, whose lines are taken off the other lines."""
    if reason:
        return _because(call, reason)
    lines = tuple(line for line in call.lines if line.number not in used)
    return replace(call, lines=lines) if lines or not call.lines else None


def _because(call: Call, reason: list[Line]) -> Call:
    return replace(call, argument=f"{call.argument} because {_join(reason)}")


def _join(lines: list[Line]) -> str:
    return " ".join(line.text for line in lines).removeprefix("because ").removeprefix("Because ")


def can_be_read(call: Call, game: Game) -> bool:
    """Whether the command has all that its act needs."""
    command = COMMANDS[call.command]
    if not isinstance(command, ActCommand):
        return True
    if command.takes is Takes.SOMETHING and not call.argument:
        return False
    try:
        for one in command.each(call, game):
            command.act.check(command.read(one, game))
    except (GameError, JudgeError):
        return False
    return True
