"""manage.py copy_database URL: copy everything from another database into ours."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from diplomacy_server.moving import copy_from
from games.management.plain import PlainCommand
from mailer.text import counted


class Command(PlainCommand):
    help = (
        "Copy everything from another database into the one of DATABASE_URL, which is new and has "
        "its tables already (manage.py migrate): from SQLite to PostgreSQL, for example. Stop all "
        "services first. Nothing changes in the other one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="the other database, as DATABASE_URL would name it")

    def run(self, **options: Any) -> str:
        copied = counted(copy_from(options["url"]), "row")
        return f"{copied} copied. `manage.py verify_log` says whether every game is whole."
