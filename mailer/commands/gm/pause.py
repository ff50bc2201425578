"""PAUSE: the clock stops."""

from __future__ import annotations

from games.acts import pause
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, length_and_reason


class Pause(ActCommand[pause.Parameters]):
    name = "pause"
    aliases = ("suspend",)
    usage = "PAUSE [length] because reason"
    summary = "stop the clock, for so long or until RESUME"
    help = (
        "Orders are still taken. Everybody is told the reason.\n"
        "Example: PAUSE 10d because of the holidays\n"
        "Example: PAUSE because we look for a substitute"
    )
    act = pause.Pause()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> pause.Parameters:
        length, why = length_and_reason(call.argument)
        return pause.Parameters(length=length, why=why)
