"""manage.py verify_log NAME: hold a game against its log."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from games import log
from games.management.plain import PlainCommand
from games.queries.log_faults import faults
from games.queries.log_text import SHOWN
from games.queries.lookup import game_by_name


class Command(PlainCommand):
    help = "Say whether anything in a game was changed after it was written into the log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def run(self, **options: Any) -> str:
        game = game_by_name(options["name"])
        if found := list(faults(game)):
            raise CommandError("\n".join(found))
        count = game.events.count()
        shown = log.head(game)[:SHOWN]
        return f"The log of {game.name} is whole: {count} events, the newest {shown}."
