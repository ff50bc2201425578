"""START and ROLLBACK: where a game begins, and where it begins again."""

from __future__ import annotations

from games import board
from games.models import Game
from mailer.gm.base import Answers, Deed, split_reason
from mailer.script import Call, Takes


class Start(Deed):
    name = "start"
    aliases = ("begin",)
    usage = "START"
    summary = "start a game whose seats are all taken"
    help = "Gives out the powers and opens the first phase. You are asked first whether to do it."
    act = "start"
    grave = True

    def answers(self, call: Call, game: Game) -> Answers:
        return {}


class Rollback(Deed):
    name = "rollback"
    aliases = ("undo",)
    usage = "ROLLBACK phase because reason"
    summary = "play again from the start of an earlier phase"
    help = (
        "What is undone is kept, and everybody is told the reason. You are asked first whether to "
        "do it.\n"
        "Example: ROLLBACK F1902M because orders of Italy were misread"
    )
    act = "rollback"
    grave = True
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        phase, why = split_reason(call.argument)
        return {"phase": board.phase_named(phase), "why": why}
