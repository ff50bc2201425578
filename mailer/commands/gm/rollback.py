"""ROLLBACK: a game begins again."""

from __future__ import annotations

from games.acts import rollback
from games.models import Game
from games.queries import board
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, split_reason


class Rollback(ActCommand[rollback.Parameters]):
    name = "rollback"
    aliases = ("undo",)
    usage = "ROLLBACK phase because reason"
    summary = "play again from the start of an earlier phase"
    help = (
        "What is undone is kept, and everybody is told the reason. You are asked first whether to "
        "do it.\n"
        "Example: ROLLBACK F1902M because orders of Italy were misread"
    )
    act = rollback.Rollback()
    grave = True
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> rollback.Parameters:
        phase, why = split_reason(call.argument)
        return rollback.Parameters(phase=board.phase_named(phase), why=why)
