"""PAUSE: the clock stops."""

from __future__ import annotations

from games.acts import pause
from games.errors import BadInput
from games.models import Game
from games.queries.parsing.dates import begins_with_day
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, length_and_reason, moment_and_reason

_BEGINS_NOW = (
    "A pause begins at once, so it has no first day. Write UNTIL and the day on which the clock is "
    "to run again. To keep deadlines off days to come, set them as days off on the game's page in "
    "the admin."
)


class Pause(ActCommand[pause.Parameters]):
    name = "pause"
    aliases = ("suspend",)
    usage = "PAUSE [length | UNTIL date] because reason"
    summary = "stop the clock, for that long, until that day, or until RESUME"
    help = (
        "Orders are still taken. Everybody is told the reason. In a paused game it changes the end "
        "of the pause. A day without a time means the time "
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
        if length is None and begins_with_day(call.argument):
            raise BadInput(_BEGINS_NOW)
        return pause.Parameters(length=length, why=why)
