"""EXTEND: the deadline moves."""

from __future__ import annotations

from games.acts import extend
from games.errors import BadInput
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand, length_and_reason


class Extend(ActCommand[extend.Parameters]):
    name = "extend"
    usage = "EXTEND length because reason"
    summary = "move the deadline of the open phase to a later time"
    help = "Everybody is told the reason.\nExample: EXTEND 24h because the mail server was down"
    act = extend.Extend()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> extend.Parameters:
        length, why = length_and_reason(call.argument)
        if length is None:
            raise BadInput("Please say how much later.")
        return extend.Parameters(later=length, why=why)
