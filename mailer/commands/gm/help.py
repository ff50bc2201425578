"""HELP: what a game master can write."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.contrib.auth.models import User

from games.models import Game
from mailer.commands.calls import HELP, Call, QuestionMark
from mailer.commands.gm.base import GmAnswer, GmCommand
from mailer.commands.receipt import JUST_ASKED


class Help(GmCommand):
    """HELP: explains the commands it is given, and itself."""

    name = HELP
    asked = QuestionMark.ITSELF
    usage = "HELP [command]"
    summary = "see what a game master can write"
    help = "Write HELP and a command to read more about it."

    def __init__(self, others: Mapping[str, GmCommand]) -> None:
        self.commands = {**others, self.name: self}

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        word = call.argument.strip(" .!?").lower()
        for command in self.commands.values():
            if word in (command.name, *command.aliases):
                return GmAnswer(f"{_note_on_question(call)}{command.explanation()}")
        return GmAnswer(self._overview())

    def _overview(self) -> str:
        """Every command, one entry each."""
        return "\n".join(
            [
                "A game master can write these commands, one per line, in a reply to a mail that "
                "came to them as the game master, or anywhere else below a line GM and the game's "
                "name:",
                "",
                *(f"- {one.usage}: {one.summary}." for _, one in sorted(self.commands.items())),
                "",
                "Before we do anything that cannot be taken back, we ask you once. For more about "
                "one of them, write HELP and its first word.",
            ]
        )


def _note_on_question(call: Call) -> str:
    """Say that nothing was done, if a command was written with a question mark: `PROCESS?`"""
    return JUST_ASKED if call.word not in ("", HELP) else ""
