"""RESUME: the clock runs again."""

from __future__ import annotations

from games.acts import resume
from games.models import Game
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import any_reason


class Resume(ActCommand[resume.Parameters]):
    name = "resume"
    aliases = ("unpause", "continue", "activate")
    usage = "RESUME [because reason]"
    summary = "let the clock of a paused game run again"
    help = (
        "Everybody gets back the time that was left when the game was paused; if nearly all of "
        "that is still left, the old deadline stays. Everybody is told the reason.\n"
        "Example: RESUME because the mail server is back"
    )
    act = resume.Resume()
    for_all = "Resume all games"

    def read(self, call: Call, game: Game) -> resume.Parameters:
        return resume.Parameters(why=any_reason(call.argument))
