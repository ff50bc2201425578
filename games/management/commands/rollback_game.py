"""manage.py rollback_game NAME PHASE: play a game again from an earlier phase."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from games.acts.rollback import Parameters, Rollback
from games.management.acts import perform
from games.management.plain import PlainCommand
from games.queries.parsing.game_names import game_on_server


class Command(PlainCommand):
    help = "Play a game again from the start of an earlier phase; what is undone is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("phase", help="the phase to play on from, like F1902M")
        parser.add_argument(
            "--keep-orders", action="store_true", help="use the orders that stood in it again"
        )
        parser.add_argument("--why", default="", help="the reason, a sentence for all players")

    def run(self, **options: Any) -> str:
        given = Parameters(
            phase=options["phase"], keep_orders=options["keep_orders"], why=options["why"]
        )
        return perform(Rollback(), game_on_server(options["name"]), given).said
