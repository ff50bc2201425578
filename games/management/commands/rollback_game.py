"""manage.py rollback_game NAME PHASE: play a game again from an earlier phase."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.management.plain import PlainCommand
from games.selectors import game_by_name
from games.services.rollback import game_rollback


class Command(PlainCommand):
    help = "Play a game again from the start of an earlier phase; what is undone is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("phase", help="where to go on, like F1902M")
        parser.add_argument("--why", default="", help="a sentence for the players")

    def run(self, **options: Any) -> str:
        game = game_by_name(options["name"])
        event = game_rollback(
            game=game,
            phase=options["phase"],
            why=options["why"],
            by="the operator",
            now=timezone.now(),
        )
        undone = ", ".join(event.payload["undone"])
        return f"{game.name} is back at {event.payload['phase']}. Undone, but kept: {undone}."
