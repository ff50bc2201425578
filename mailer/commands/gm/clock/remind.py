"""REMIND: the players who still owe orders get a mail at once."""

from __future__ import annotations

import re

from games.acts import remind
from games.acts.parameters import Nothing
from games.models import Game
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand


class Remind(ActCommand[Nothing]):
    name = "remind"
    aliases = ("nudge",)
    usage = "REMIND"
    summary = "remind everybody who still owes orders what they owe and until when"
    help = "Nobody else gets a mail; the log says that you reminded them. Once an hour at most."
    act = remind.Remind()
    argument = re.compile(
        r"(?:(?:all|everybody|everyone|them|the|players|powers|missing|late|silent|ones|that|who"
        r"|are)\b[\s.!]*)*",
        re.IGNORECASE,
    )

    def read(self, call: Call, game: Game) -> Nothing:
        return Nothing()
