"""START: a game begins."""

from __future__ import annotations

from games.acts import start
from games.acts.parameters import Nothing
from games.models import Game
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand


class Start(ActCommand[Nothing]):
    name = "start"
    aliases = ("begin", "forcebegin")
    usage = "START"
    summary = "start a game whose seats are all taken"
    help = "Gives out the powers and opens the first phase. We ask you to confirm it first."
    act = start.Start()
    grave = True

    def read(self, call: Call, game: Game) -> Nothing:
        return Nothing()
