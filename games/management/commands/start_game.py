"""manage.py start_game NAME: give out the powers and open the first phase."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.management.plain import PlainCommand
from games.selectors import game_by_name, open_phase, seats_of
from games.services.games import game_start


class Command(PlainCommand):
    help = "Give out the powers by the preference lists and open the first phase."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def run(self, **options: Any) -> str:
        game = game_start(game=game_by_name(options["name"]), now=timezone.now())
        phase = open_phase(game)
        assert phase is not None, "a game that has started has an open phase"
        seats = ", ".join(f"{seat.power.name} {seat.player.name}" for seat in seats_of(game))
        return f"Started {game.name} with {seats}. {phase.name} is due at {phase.due_at:%F %R} UTC."
