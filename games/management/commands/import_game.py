"""manage.py import_game FILE: read back what export_game wrote."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.errors import BadInput
from games.management.plain import PlainCommand
from games.models import Player
from games.services.setup.transfer import game_receive


class Command(PlainCommand):
    help = "Read back a game that export_game wrote, from a file or (-) standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")

    def run(self, **options: Any) -> str:
        game, kept_out = game_receive(document=_load(options["file"]), now=timezone.now())
        phases, sets = game.phases.count(), sum(p.order_sets.count() for p in game.phases.all())
        gm = "" if game.gm else " It has no GM here: name one in the admin."
        return f"Imported {game.name}: {phases} phases, {sets} order sets.{gm}{_bans(kept_out)}"


def _bans(players: list[Player]) -> str:
    """Say what bans and suspensions on this server mean for the game."""
    if not players:
        return ""
    names = ", ".join(one.name for one in players)
    return (
        f" Banned or suspended here: {names}. The banned have lost their seats; before the start, "
        "all of them have lost their places."
    )


def _load(name: str) -> object:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        return json.loads(text)
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name} cannot be read as JSON: {error}.") from error
