"""manage.py start_game NAME: give out the powers and open the first phase."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.management.plain import PlainCommand
from games.selectors import game_by_name, open_phase, seats_of
from games.services.muster import game_begin


class Command(PlainCommand):
    help = (
        "Give out the powers by the preference lists and open the first phase. A game with a "
        "muster asks its players first; given again, the command waits for them no longer."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def run(self, **options: Any) -> str:
        game = game_begin(game=game_by_name(options["name"]), by="the operator", now=timezone.now())
        phase = open_phase(game)
        if phase is None:
            until = f"{game.muster_until:%F %R} UTC"
            return f"The players of {game.name} are asked until {until} whether they are here."
        seats = ", ".join(f"{seat.power.name} {seat.player.name}" for seat in seats_of(game))
        return f"Started {game.name} with {seats}. {phase.name} is due at {phase.due_at:%F %R} UTC."
