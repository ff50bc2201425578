"""manage.py export_player ADDRESS: all that there is about a player, as one JSON document."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from games.management.plain import PlainCommand
from games.queries.lookup import player_at
from mailer.privacy import exported


class Command(PlainCommand):
    help = (
        "Write everything the server has about a player as one JSON document: settings, games, "
        "orders, press, and every mail from and to them. Give it to nobody else."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="an e-mail address of the player")

    def run(self, **options: Any) -> str:
        document = exported(player_at(options["address"]))
        return json.dumps(document, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder)
