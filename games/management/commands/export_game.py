"""manage.py export_game NAME: the whole game as one JSON document on standard output."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.game_file import document
from games.management.plain import PlainCommand
from games.models import StaffEntry
from games.queries.access.staff_names import OPERATOR
from games.queries.parsing.game_names import game_on_server
from games.services.moderation.staff_log import entry_write


class Command(PlainCommand):
    help = (
        "Write a game as one JSON document, which import_game reads back. It holds everything, "
        "even addresses and open orders: keep it to yourself. The staff's log says that it was "
        "written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def run(self, **options: Any) -> str:
        game = game_on_server(options["name"])
        what = StaffEntry.What.GAME
        entry_write(what=what, about=game.name, by=OPERATOR, game=game, now=timezone.now())
        return json.dumps(document(game), ensure_ascii=False, indent=1)
