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
    """One command of a letter."""

    command: str
    argument: str
    """What stood after its name."""
    number: int
    """The number of its line; of the first of its lines, if they are orders."""
    lines: tuple[Line, ...] = ()
    """The order lines of an `orders` or `amend` call, the lines of a `signoff` call that we do not
    read, the orders above a `clear` call, the body of any other."""
    word: str = dataclasses.field(default="", compare=False)
    """The word that the writer used, where a command has several."""
    calls: tuple[Call, ...] = ()
    """The commands inside a block."""
    bare: tuple[Line, ...] = dataclasses.field(default=(), compare=False)
    """The lines of an answer to press without its greetings."""
    greeted: tuple[Line, ...] = dataclasses.field(default=(), compare=False)
    """The greetings of a mail with orders."""
    amended: tuple[Line, ...] = dataclasses.field(default=(), compare=False)
    """The lines of an `amend` call that say AMEND."""
    ended: bool = dataclasses.field(default=False, compare=False)
    """Whether a line END closes the body."""

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
    """A word that begins a command: the command's name and what may follow it."""

    command: str
    takes: Takes
    argument: re.Pattern[str] | None = None
    has_body: bool = False
    prose: bool = False
    """Whether its body keeps its greetings and line breaks."""
    bodiless: re.Pattern[str] | None = None
    """The arguments that leave the command without a body."""
    asked: QuestionMark = QuestionMark.ITSELF
    names_game: bool = False
    """Whether we skip words as in "from the game marne"."""

    def takes_body(self, argument: str) -> bool:
        """Whether the lines below belong to the command."""
        return self.has_body and not (self.bodiless and self.bodiless.fullmatch(argument))
