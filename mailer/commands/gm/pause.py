"""PAUSE: the clock stops."""

from __future__ import annotations

from games.acts import pause
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, length_and_reason, moment_and_reason


class Pause(ActCommand[pause.Parameters]):
    name = "pause"
    aliases = ("suspend",)
    usage = "PAUSE [length | UNTIL date] because reason"
    summary = "stop the clock, for that long, until that day, or until RESUME"
    help = (
        "Orders are still taken. Everybody is told the reason. A day without a time means the time "
        "of the game's movement deadlines, or the beginning of that day where they have none.\n"
        "Example: PAUSE 10d because of the holidays\n"
        "Example: PAUSE UNTIL 2027-01-02 because of the holidays\n"
        "Example: PAUSE UNTIL Jan 7 21:00 because of the holidays\n"
        "Example: PAUSE because we look for a substitute"
    )
    act = pause.Pause()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> pause.Parameters:
        to, why = moment_and_reason(call.argument)
        if to:
            return pause.Parameters(to=to, why=why)
        length, why = length_and_reason(call.argument)
        return pause.Parameters(length=length, why=why)
