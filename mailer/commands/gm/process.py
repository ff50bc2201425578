"""PROCESS: the open phase is adjudicated now."""

from __future__ import annotations

from games.acts import process_now
from games.models import Game
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand, any_reason


class Process(ActCommand[process_now.Parameters]):
    name = "process"
    aliases = ("adjudicate",)
    usage = "PROCESS [because reason]"
    summary = "adjudicate the open phase now, whatever the deadline"
    help = (
        "Orders that are missing are not waited for. Everybody is told the reason. You are asked "
        "first whether to do it.\n"
        "Example: PROCESS because all who still owe orders have told me that they are done"
    )
    act = process_now.ProcessNow()
    grave = True

    def read(self, call: Call, game: Game) -> process_now.Parameters:
        return process_now.Parameters(why=any_reason(call.argument))
