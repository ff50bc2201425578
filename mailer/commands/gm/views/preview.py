"""PREVIEW: what the current orders would lead to."""

from __future__ import annotations

from games.acts import preview
from games.models import Game
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import any_reason


class Preview(ActCommand[preview.Parameters]):
    name = "preview"
    aliases = ("predict",)
    usage = "PREVIEW because reason"
    summary = "try out the orders that stand now"
    help = (
        "We store nothing. It shows orders, so we tell everybody that you looked, and why; it is "
        "only for games whose game master may see orders. We ask you to confirm it first.\n"
        "Example: PREVIEW because France asked whether a convoy was read correctly"
    )
    act = preview.Preview()
    grave = True
    takes = Takes.SOMETHING
    asked = QuestionMark.SHOWN

    def read(self, call: Call, game: Game) -> preview.Parameters:
        return preview.Parameters(why=any_reason(call.argument))
