"""PAUSE: the clock stops."""

from __future__ import annotations

from games.acts import pause
from games.models import Game
from games.queries.parsing.moments import moment_and_rest
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, any_reason, length_and_reason


class Pause(ActCommand[pause.Parameters]):
    name = "pause"
    aliases = ("suspend",)
    usage = "PAUSE [length] because reason"
    summary = "stop the clock, for that long or until RESUME"
    help = (
        "Instead of a length you can write UNTIL and a date. Orders are still taken. Everybody is "
        "told the reason.\n"
        "Example: PAUSE 10d because of the holidays\n"
        "Example: PAUSE UNTIL 2027-01-02 because of the holidays\n"
        "Example: PAUSE because we look for a substitute"
    )
    act = pause.Pause()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> pause.Parameters:
        to, text = moment_and_rest(call.argument)
        if to:
            return pause.Parameters(to=to, why=any_reason(text))
        length, why = length_and_reason(text)
        return pause.Parameters(length=length, why=why)
