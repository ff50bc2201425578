"""START, FINISH and ROLLBACK: where a game begins, ends, and begins again."""

from __future__ import annotations

import re
from typing import ClassVar

from games import board
from games.audience import read_audience
from games.models import Game
from games.services.games import power_names
from mailer.gm.base import Answers, Deed, split_reason
from mailer.script import Call, Takes

_RESULT = re.compile(r"(?:(?:draw|win|won|victory|between|of|for)\b[\s:,]*)*", re.IGNORECASE)
_NO_RESULT = ("", "none", "nobody", "without result", "no result")


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


class Finish(Deed):
    name = "finish"
    aliases: ClassVar[tuple[str, ...]] = ("terminate", "endgame")
    usage = "FINISH DRAW power, power because reason"
    summary = "end the game with a winner, a draw or no result"
    help = (
        "Only a rollback makes it go on. Everybody is told the reason. You are asked first whether "
        "to do it.\n"
        "Example: FINISH DRAW France, Italy because all have agreed to it\n"
        "Example: FINISH WIN France because the others have conceded\n"
        "Example: FINISH NONE because too few have stayed"
    )
    act = "end"
    grave = True
    takes = Takes.SOMETHING

    def answers(self, call: Call, game: Game) -> Answers:
        result, why = split_reason(call.argument)
        named = _RESULT.sub("", result, count=1)
        if named.strip().lower() in _NO_RESULT:
            return {"winners": [], "why": why}
        return {"winners": list(read_audience(named, power_names(game), "").powers), "why": why}


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
