"""manage.py start_game NAME: deal the powers and open the first phase."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from games.acts.parameters import Nothing
from games.acts.start import Start
from games.management.acts import perform
from games.management.plain import PlainCommand
from games.queries.lookup import open_phase, seats_of
from games.queries.parsing.game_names import game_on_server


class Command(PlainCommand):
    help = (
        "Deal the powers by the preference lists and open the first phase. A game with a muster "
        "asks its players first; a second time, the command no longer waits for them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def run(self, **options: Any) -> str:
        done = perform(Start(), game_on_server(options["name"]), Nothing())
        game = game_on_server(options["name"])
        phase = open_phase(game)
        if phase is None:
            return f"{done.said} They can answer until {game.muster_until:%F %R} UTC."
        seats = ", ".join(f"{seat.power.name} {seat.player.name}" for seat in seats_of(game))
        return f"Started {game.name} with {seats}. {phase.name} is due at {phase.due_at:%F %R} UTC."
