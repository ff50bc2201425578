"""A command of a letter as a value, and the words that begin one."""

from __future__ import annotations

import dataclasses
import enum
import re

from mailer.reading.patterns import one_word
from mailer.reading.quotes import Line

ORDERS, AMEND, SIGNOFF, STOP, EXTEND = "orders", "amend", "signoff", "stop", "extend"
HELP, CLEAR, HOLD, SAME, CREATE = "help", "clear", "hold", "same", "create"
READY = "ready"
SAID_AFTER = one_word("ready wait status map list orders history rules help")
"""Commands that people add on the same line after something else, as a pattern."""


class Takes(enum.Enum):
    """What may follow a command's word on its line."""

    NOTHING = "nothing"
    MAYBE = "maybe something"
    SOMETHING = "something"


class QuestionMark(enum.Enum):
    """What a question mark after a command's word means: `JOIN?`, `JOIN marne?`"""

    EXPLAINED = "it does nothing, and the answer is its help"
    SHOWN = "it does what it does without"
    ITSELF = "the command reads the question mark itself"


@dataclasses.dataclass(frozen=True)
class Call:
    """One command of a letter: its name, what stood after it, and the number of its line.

    `lines` are the order lines of an `orders` or `amend` call; `number` is that of the first. A
    `signoff` call holds the lines that we do not read, a `clear` call the orders above it, any
    other call the lines of its body. `word` is the word that the writer used, where a command has
    several. `calls` are the commands inside a block, `bare` the lines of an answer to press without
    its greetings, `greeted` the greetings of a mail with orders. `amended` are the lines of an
    `amend` call that say AMEND. `ended` says whether a line END closes the body.
    """

    command: str
    argument: str
    number: int
    lines: tuple[Line, ...] = ()
    word: str = dataclasses.field(default="", compare=False)
    calls: tuple[Call, ...] = ()
    bare: tuple[Line, ...] = dataclasses.field(default=(), compare=False)
    greeted: tuple[Line, ...] = dataclasses.field(default=(), compare=False)
    amended: tuple[Line, ...] = dataclasses.field(default=(), compare=False)
    ended: bool = dataclasses.field(default=False, compare=False)

    @property
    def written(self) -> str:
        """`PROCESS`: the command by the word that its writer used."""
        return (self.word or self.command).upper()

    def anywhere(self) -> Call:
        """The same call without line numbers, so that a command written twice in a mail equals
        itself."""
        lines = tuple(Line(0, line.text) for line in self.lines)
        return dataclasses.replace(self, number=0, lines=lines)


@dataclasses.dataclass(frozen=True)
class Word:
    """A word that begins a command: the command's name and what may follow it.

    A body that is `prose` keeps its greetings and line breaks. An argument that is `bodiless`
    leaves the command without a body. If it `names_game`, we skip words as in "from the game
    marne".
    """

    command: str
    takes: Takes
    argument: re.Pattern[str] | None = None
    has_body: bool = False
    prose: bool = False
    bodiless: re.Pattern[str] | None = None
    asked: QuestionMark = QuestionMark.ITSELF
    names_game: bool = False

    def takes_body(self, argument: str) -> bool:
        """Whether the lines below belong to the command."""
        return self.has_body and not (self.bodiless and self.bodiless.fullmatch(argument))
