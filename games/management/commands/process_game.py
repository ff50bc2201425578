"""manage.py process_game NAME: adjudicate the open phase now, whatever the deadline."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from games.acts.process_now import Parameters, ProcessNow
from games.management.acts import perform
from games.management.plain import PlainCommand
from games.queries.parsing.game_names import game_on_server


class Command(PlainCommand):
    help = "Adjudicate the open phase of a game now, whatever its deadline."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--why", default="", help="the reason, a sentence for all players")

    def run(self, **options: Any) -> str:
        game = game_on_server(options["name"])
        return perform(ProcessNow(), game, Parameters(why=options["why"])).said
