"""manage.py verify_log [NAME]: check a game, or every game, against its log."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from games import log
from games.management.plain import PlainCommand
from games.models import Game
from games.queries.audit.log_faults import faults
from games.queries.parsing.game_names import game_on_server
from games.queries.reports.log_text import SHOWN
from games.queries.reports.wording import counted


class Command(PlainCommand):
    help = "Say whether anything in one game, or in all, was changed after it was logged."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help="a game; without it, every game")

    def run(self, **options: Any) -> str:
        if not options["name"]:
            return _check_all()
        game = game_on_server(options["name"])
        if found := list(faults(game)):
            raise CommandError("\n".join(found))
        events = counted(game.events.count(), "event")
        return f"The log of {game.name} is whole: {events}, the newest {log.head(game)[:SHOWN]}."


def _check_all() -> str:
    games = Game.objects.order_by("name")
    if found := [f"{game.name}: {fault}" for game in games for fault in faults(game)]:
        raise CommandError("\n".join(found))
    return f"The logs of all games are whole ({len(games)} in all)."
