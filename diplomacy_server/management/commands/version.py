"""`manage.py version`: the version of this server, as the admin and the docs show it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from diplomacy_server.version import VERSION


class Command(BaseCommand):
    """Print the version and nothing else, so that scripts can read it."""

    help = "Print the version of this server."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(VERSION)
