"""manage.py make_round GAME NAME: make the games of a tournament's round and seat its players."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from games.acts.make_round import MakeRound, Parameters, players_proposed
from games.acts.parameters import lines
from games.management.acts import foresee, perform
from games.management.plain import PlainCommand
from games.queries.parsing.game_names import game_on_server


class Command(PlainCommand):
    help = (
        "Make the games of a tournament's next round, with the settings and the GM of one of its "
        "games, and seat its players so that nobody plays a power again and few meet again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", help="the game whose settings and GM the new ones get")
        parser.add_argument("name", help="the round: cup-r2 makes cup-r2-1, cup-r2-2 and so on")
        parser.add_argument(
            "--player",
            action="append",
            metavar="NAME",
            help="a player's name, once for each. Without it: everybody who plays in the "
            "tournament",
        )
        parser.add_argument("--show", action="store_true", help="only say what would happen")

    def run(self, **options: Any) -> str:
        game = game_on_server(options["game"])
        players = tuple(options["player"] or lines(players_proposed(game)))
        given = Parameters(name=options["name"], players=players)
        if options["show"]:
            return "\n".join(foresee(MakeRound(), game, given))
        return perform(MakeRound(), game, given).said
