"""PROCESS: the open phase is adjudicated now."""

from __future__ import annotations

import re

from games.acts import process_now
from games.acts.game import phase_of
from games.errors import BadInput
from games.models import Game
from games.queries.board import is_phase, phase_title
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand, any_reason

_NEEDLESS = re.compile(
    r"(?:(?:the|this|current|open|turn|phase|season|round|game|orders|moves|it|now|early|please"
    r"|at\s+once|right\s+away)\b[\s,.!]*)+",
    re.IGNORECASE,
)
"""What may stand between PROCESS and the reason."""


class Process(ActCommand[process_now.Parameters]):
    name = "process"
    aliases = ("adjudicate",)
    usage = "PROCESS [phase] [because reason]"
    summary = "adjudicate the open phase now, whatever the deadline"
    help = (
        "Nobody waits for missing orders. Everybody is told the reason. We ask you "
        "to confirm it first. With a phase it is done only if that one is open.\n"
        "Example: PROCESS because all who still owe orders have told me that they are done"
    )
    act = process_now.ProcessNow()
    grave = True

    def read(self, call: Call, game: Game) -> process_now.Parameters:
        said = _NEEDLESS.sub("", call.argument, count=1)
        first, _, rest = said.partition(" ")
        named, now = first.strip(".,:").upper(), phase_of(game).name
        if not is_phase(named):
            return process_now.Parameters(why=any_reason(said))
        if named != now:
            raise BadInput(f"{phase_title(named)} is not open: it is {phase_title(now)}.")
        return process_now.Parameters(why=any_reason(rest))
