"""What the commands of players and of game masters have in common: how they are written, and what
HELP and the manual say about them."""

from __future__ import annotations

import abc
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import ClassVar

from mailer.commands.calls import QuestionMark, Takes, Word

_ITEM = re.compile(r"Example: |[a-z]+: ")
"""Marks the line of an example, or of a word such as "weekly" with its meaning."""


class Command(abc.ABC):
    """One command. `name` and `aliases` begin its line, in upper or lower case.

    `takes` and `argument` say what may follow the word: with anything else the line is not this
    command. With `has_body` the lines below belong to it, down to a line END; `prose` is a body for
    people to read, greetings and all; an argument that is `bodiless` ends the command. `asked` says
    what a question mark means after the word, or after a single name that follows it. If it
    `names_game`, "from the game" may stand before the name. `usage` shows how it is written,
    `summary` is one line for HELP, `help` the whole explanation.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    usage: ClassVar[str]
    summary: ClassVar[str]
    help: ClassVar[str]
    takes: ClassVar[Takes]
    argument: ClassVar[re.Pattern[str] | None] = None
    has_body: ClassVar[bool] = False
    prose: ClassVar[bool] = False
    bodiless: ClassVar[re.Pattern[str] | None] = None
    asked: ClassVar[QuestionMark] = QuestionMark.EXPLAINED
    names_game: ClassVar[bool] = False

    @classmethod
    def help_parts(cls) -> Iterator[tuple[bool, list[str]]]:
        """Yield the parts of the help, each with whether it is a list: of examples, or of words
        with what they mean."""
        lines = cls.help.splitlines()
        for is_list, part in groupby(lines, key=lambda line: bool(_ITEM.match(line))):
            yield is_list, [*part]

    @classmethod
    def help_in_paragraphs(cls) -> str:
        """Return the help as a mail has it: a blank line before and after a list."""
        return "\n\n".join("\n".join(part) for _, part in cls.help_parts())


def words_of(commands: Iterable[Command]) -> dict[str, Word]:
    """Every word that begins one of the commands, in lower case."""
    return {
        word: Word(
            one.name,
            one.takes,
            one.argument,
            one.has_body,
            one.prose,
            one.bodiless,
            one.asked,
            one.names_game,
        )
        for one in commands
        for word in (one.name, *one.aliases)
    }
