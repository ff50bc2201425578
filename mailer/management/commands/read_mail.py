"""`manage.py read_mail`: shows how a mail would be read, and changes nothing."""

from __future__ import annotations

import codecs
import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.errors import GameError
from games.queries.parsing.game_names import game_on_server
from mailer.inbound.preview import preview, viewpoint


class Command(BaseCommand):
    help = "Show how mails would be read, one JSON line for each file; change nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE.eml", help="- is standard input")
        parser.add_argument("--game", default="", help="read orders in this game's open phase")
        parser.add_argument("--power", default="", help="the power whose orders they are")

    def handle(self, *args: Any, files: list[str], game: str, power: str, **options: Any) -> None:
        if game and not power:
            raise CommandError("--game also needs --power.")
        try:
            view = viewpoint(game, power)
            played = game_on_server(game) if game else None
        except GameError as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(f"The games cannot be looked up: {error}") from error
        for name in files:
            said = preview(_read(name), view, played)
            self.stdout.write(json.dumps(said, ensure_ascii=False))


def _read(name: str) -> bytes:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}") from error
    return raw.removeprefix(codecs.BOM_UTF8)  # of some editors
