"""manage.py process_game NAME: adjudicate the open phase now, whatever the deadline."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from games.management.plain import PlainCommand
from games.selectors import game_by_name, open_phase
from games.services.phases import phase_process


class Command(PlainCommand):
    help = "Adjudicate the open phase of a game now, whatever its deadline."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--why", default="", help="a sentence for the players")

    def run(self, **options: Any) -> str:
        game = game_by_name(options["name"])
        meant = open_phase(game)
        event = phase_process(
            game_id=game.pk,
            now=timezone.now(),
            force=True,
            expected=meant.name if meant else None,
            why=options["why"],
            by="the operator",
        )
        if event is None:
            phase = open_phase(game)
            raise CommandError(
                f"{phase} could not be adjudicated: {phase.error if phase else 'no phase'}. "
                "Nothing has changed; the log has the details."
            )
        done = f"Processed {event.payload['phase']} of {game.name}."
        if event.payload["winner"]:
            return f"{done} {event.payload['winner']} has won the game."
        return f"{done} Next is {event.payload['next']}."
