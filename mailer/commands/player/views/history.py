"""HISTORY: what happened in a phase that is over. MAP: the board now."""

from __future__ import annotations

from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.receipt import Enclosures, Receipt
from mailer.commands.seats import board_viewer, game_watched
from mailer.commands.texts.again import board_again, results_again
from mailer.identity.senders import Sender


class History(PlayerCommand):
    name = "history"
    aliases = ("results",)
    usage = "HISTORY [game] [phase]"
    summary = "see the results of the last phase, or of one like F1901M"
    help = (
        "Shows orders and results of the phase before the one being played. Name another as S, F "
        "or W, the year, and M, R or A for movement, retreats or adjustments.\n"
        "Example: HISTORY S1901M\n"
        "It is for those who play, have played or observe the game."
    )
    takes = Takes.MAYBE
    names_game = True
    asked = QuestionMark.SHOWN
    only_shows = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game, seat, words = game_watched(call.argument, sender)
        power = seat.power if seat and seat.until is None else None
        told = results_again(game, words, board_viewer(game, seat), power)
        return Receipt(
            title="Results again",
            text=told.text,
            enclosed=Enclosures(pictured=told.pictured),
            subject=f"[{game.name}] {told.title}: results again",
        )


class Map(PlayerCommand):
    name = "map"
    aliases = ("board", "position")
    usage = "MAP [game] [phase]"
    summary = "see who has which units and centres"
    help = (
        "Shows every power's centres and units in the phase being played, or at the game's end, as "
        "text and as a picture. Name a phase that is over to see the board with which it began.\n"
        "Example: MAP F1901M"
    )
    takes = Takes.MAYBE
    names_game = True
    asked = QuestionMark.SHOWN
    only_shows = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game, seat, words = game_watched(call.argument, sender)
        own = seat.power.name if seat else None
        told = board_again(game, words, board_viewer(game, seat), own)
        return Receipt(
            title="The map",
            text=told.text,
            enclosed=Enclosures(pictured=told.pictured),
            subject=f"[{game.name}] {told.title}",
        )
