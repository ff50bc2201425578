"""manage.py import_game FILE: read back what export_game wrote."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from games.errors import BadInput
from games.management.plain import PlainCommand
from games.services.transfer import game_import


class Command(PlainCommand):
    help = "Read back a game that export_game wrote, from a file or (-) standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")

    def run(self, **options: Any) -> str:
        game = game_import(document=_read(options["file"]))
        phases, sets = game.phases.count(), sum(p.order_sets.count() for p in game.phases.all())
        gm = "" if game.gm else " It has no GM here: name one in the admin."
        return f"Imported {game.name}: {phases} phases, {sets} order sets.{gm}"


def _read(name: str) -> object:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        return json.loads(text)
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name} cannot be read as JSON: {error}.") from error
