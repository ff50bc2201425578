"""manage.py migrate: Django's own, and no number is given out twice on SQLite."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from diplomacy_server.row_numbers import KeepsNumbers


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        database = connections[options["database"]]
        if database.vendor == "sqlite":
            database.SchemaEditorClass = KeepsNumbers
        super().handle(*args, **options)
