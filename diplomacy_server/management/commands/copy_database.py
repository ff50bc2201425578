"""manage.py copy_database URL: copy everything from another database into ours."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from diplomacy_server.copy_database import copy_from
from games.management.plain import PlainCommand
from games.queries.reports.wording import counted


class Command(PlainCommand):
    help = (
        "Copy everything from another database into that of DATABASE_URL, for example from SQLite "
        "to PostgreSQL. Ours has to be new, with its tables made by `manage.py migrate`. Stop all "
        "services first. The other database does not change."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="the other database, written like DATABASE_URL")

    def run(self, **options: Any) -> str:
        copied = counted(copy_from(options["url"]), "row")
        return f"{copied} copied. `manage.py verify_log` says whether every game is whole."
