"""What every command of a game master's mail has: how it is written, and the act that it does.

`games.acts` does and forecasts the acts, so mail and admin do the same things in the same words.
"""

from __future__ import annotations

import abc
import datetime as dt
from collections.abc import Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from django.contrib.auth.models import User

from games.acts import GameAct
from games.acts.parameters import parameters_of
from games.errors import BadInput
from games.models import Game
from games.queries.access import roles
from games.queries.access.anonymity import names_told
from games.queries.reports.wording import listed
from games.services.common import lock_game
from mailer.commands.calls import Call, Takes
from mailer.commands.command import Command
from mailer.commands.gm.lines.arguments import means_all
from mailer.outbound.pictured import PictureRequest
from mailer.text import quoted_text

P = TypeVar("P")


class GmAnswer(NamedTuple):
    """The answer to one command: a text, and what to draw with it."""

    text: str
    pictured: PictureRequest | None = None


class GmCommand(Command):
    """One command of a game master. A `grave` one is confirmed first; one that changes nothing
    (`changes` is False) needs no proof."""

    takes: ClassVar[Takes] = Takes.MAYBE
    grave: ClassVar[bool] = False
    changes: ClassVar[bool] = False

    @abc.abstractmethod
    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        """Do it, and say what was done or what there is to see. Raises GameError."""

    def foresee(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        """Say what it would do, or what there is to see. Raises GameError."""
        return self.run(call, game, user, now)

    def each(self, call: Call, game: Game) -> Sequence[Call]:
        """Split the call into one call for each name, if its line may name several."""
        return [call]

    def names_in(self, call: Call, game: Game, user: User) -> list[str]:
        """The players whom the reason on the line would reveal to all, in an anonymous game."""
        return []

    def asks_first(self, call: Call, game: Game, now: dt.datetime) -> bool:
        """Whether to ask the GM before doing this, judging by the line: always, if it is grave."""
        return self.grave

    def not_now(self, argument: str, game: Game) -> str:
        """The answer to a GM who wants it done at another time, or on some condition."""
        return f"We can only do this right away. When it is time, write: {self.usage}"

    def title(self, call: Call, game: Game) -> str:
        """The command's name in the receipt and its subject."""
        return call.command.upper()

    def explanation(self) -> str:
        """The whole help."""
        summary = self.summary[:1].upper() + self.summary[1:]
        return f"Write: {self.usage}\n\n{summary}. {self.help_in_paragraphs()}"


class ActCommand(GmCommand, Generic[P]):
    """A command that does an act; P is the type of the act's parameters."""

    act: GameAct[P]
    changes = True
    for_all: ClassVar[str] = ""
    """The admin button that does the same to all games of a tournament."""

    @abc.abstractmethod
    def read(self, call: Call, game: Game) -> P:
        """The act's parameters, read from the mail. Raises GameError."""

    def foresee(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        given = self._parameters(call, game, user, now)
        said = self.act.foresee(game, given, by=user, now=now)
        if why := getattr(given, "why", ""):
            said += [f"The reason that is told: “{why}”."]
        if names := self.names_in(call, game, user):
            said += [
                f"Your reason names {listed(names)}, and all players read it, though the game is "
                "anonymous."
            ]
        return GmAnswer("\n".join(map(_item, said)))

    def names_in(self, call: Call, game: Game, user: User) -> list[str]:
        """The players of an anonymous game whom the reason names, if everybody would read it."""
        is_read = any(one.name == "why" for one in parameters_of(self.act.parameters))
        # A GM who plays would learn from our question who the others are.
        return names_told(game, call.argument) if is_read and not roles.plays_in(user, game) else []

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        game = lock_game(game)
        given = self._parameters(call, game, user, now)
        done = self.act.perform(game, given, by=user, now=now)
        shown = [line for heading, lines in done.shown for line in ("", f"{heading}:", *lines)]
        pictured = PictureRequest.of_trial(done.trial) if done.trial else None
        return GmAnswer("\n".join([done.said, *shown]), pictured)

    def _needs_more(self, call: Call) -> str:
        """Say why the word alone does nothing."""
        asks_why = any(one.name == "why" for one in parameters_of(self.act.parameters))
        more = "a reason, which everybody is told" if asks_why else "more after it"
        return f"{call.written} needs {more}, so nothing is done yet."

    def _parameters(self, call: Call, game: Game, user: User, now: dt.datetime) -> P:
        self.act.require(user, game, now)
        if self.for_all and means_all(call.argument):
            raise BadInput(
                "A mail can do this to one game only, so nothing is done. "
                f"“{self.for_all}” does it to all games of a tournament: it is in the admin, under "
                "More on the page of each of them."
            )
        if self.takes is Takes.SOMETHING and not call.argument:
            raise BadInput(f"{self._needs_more(call)}\n\n{self.explanation()}")
        usage = self.usage
        try:
            given = self.read(call, game)
            if not getattr(given, "why", True) and not call.lines:
                asked = f"{call.written} {call.argument.rstrip(' ,.;:')}".strip()
                usage = f"{asked} because reason"
            self.act.check(given)
        except BadInput as error:
            raise BadInput(f"{error}\nWrite: {usage}") from error
        return given


def _item(said: str) -> str:
    """An item of a list. Lines below its first may be somebody's own text, so they are quoted."""
    head, _, text = said.partition("\n")
    return f"- {head}\n\n{quoted_text(text)}\n" if text else f"- {head}"
