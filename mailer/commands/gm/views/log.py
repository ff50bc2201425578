"""LOG: every act of players, GM and server."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from games.models import Game
from games.queries.reports.log_text import entries
from mailer.commands.calls import Call, QuestionMark
from mailer.commands.gm.base import GmAnswer, GmCommand


class Log(GmCommand):
    name = "log"
    asked = QuestionMark.SHOWN
    usage = "LOG"
    summary = "see everything that players, GM and server did"
    help = "The same log that players get."

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        lines = [
            f"- {one.number}. {one.at}: {one.sentence} [{one.digest}]" for one in entries(game)
        ]
        return GmAnswer("\n".join([f"The log of the game {game.name}:", "", *lines]))
