"""HISTORY, MAP: a phase that is over, and the board, as its game master sees them."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from games.errors import NotAllowed
from games.models import Game
from games.queries.access import disclosure
from mailer.commands.calls import Call, QuestionMark
from mailer.commands.gm.base import GmAnswer, GmCommand
from mailer.commands.texts.again import board_again, results_again


class History(GmCommand):
    name = "history"
    aliases = ("results",)
    asked = QuestionMark.SHOWN
    usage = "HISTORY [phase]"
    summary = "see the results of the last phase, or of one like F1901M"
    help = "It shows orders only once they are decided.\nExample: HISTORY F1901M"

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        _require_board(user, game)
        told = results_again(game, call.argument.split(), None)
        return GmAnswer(told.text, told.pictured)


class Map(GmCommand):
    name = "map"
    aliases = ("board", "position")
    asked = QuestionMark.SHOWN
    usage = "MAP [phase]"
    summary = "see who has which units and centres"
    help = "Name a phase that is over to see the board as it began.\nExample: MAP F1901M"

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        _require_board(user, game)
        told = board_again(game, call.argument.split(), None)
        return GmAnswer(told.text, told.pictured)


def _require_board(user: User, game: Game) -> None:
    """Raise NotAllowed for somebody who plays in fog of war, whatever else they may do there."""
    if not disclosure.may_see_board(user, game):
        raise NotAllowed(
            f"You play in the game {game.name}, which is in fog of war, so here you are shown "
            "nothing of its board. Write it in a reply to a mail that you got as a player."
        )
