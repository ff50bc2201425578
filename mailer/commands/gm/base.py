"""What every command of a GM's mail has: its words, its help, and the act behind it.

What an act does and says beforehand stands in `games.acts`: by mail or in the admin, the same is
done in the same words.
"""

from __future__ import annotations

import abc
import datetime as dt
import re
from collections.abc import Mapping
from typing import ClassVar

from games import board
from games.models import Game
from mailer.command import Command
from mailer.script import Call, Takes

_BECAUSE = re.compile(r"(?:^|\s)(?:because|since|for)\b[\s:,]*|\s*:\s+|\s+-\s+", re.IGNORECASE)

Answers = Mapping[str, object]


class GmCommand(Command):
    """One command of a game master."""

    takes: ClassVar[Takes] = Takes.MAYBE


class Deed(GmCommand):
    """A command that changes the game: `act` names the act of the desk that it stands for.

    A `grave` one is asked back before it is done.
    """

    act: ClassVar[str]
    grave: ClassVar[bool] = False

    @abc.abstractmethod
    def answers(self, call: Call, game: Game) -> Answers:
        """What the act's questions are answered, as if typed into its form. Raises GameError."""


class Look(GmCommand):
    """A command that only shows something."""

    @abc.abstractmethod
    def show(self, call: Call, game: Game, now: dt.datetime) -> str:
        """What there is to see. Raises GameError."""


def split_reason(text: str) -> tuple[str, str]:
    """What stands before `because` (or a colon, or a dash between blanks), and the reason."""
    before, *rest = _BECAUSE.split(text, maxsplit=1)
    return before.strip(" ,.;"), " ".join(rest).strip()


def power_of(game: Game, text: str) -> str:
    """The name of the power meant. Raises BadInput."""
    return board.power_named(game.variant, text.strip(" ,.;"))
