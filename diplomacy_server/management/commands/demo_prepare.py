"""`manage.py demo_prepare`: what `make run` does before it starts the other processes."""

from __future__ import annotations

from io import StringIO
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from diplomacy_server.demo.cast import PACES
from diplomacy_server.demo.games import games_missing, operator_ready


class Command(BaseCommand):
    """Make the tables, the operator and the demo's games where they are missing."""

    help = "Prepare the demo of `make run`: tables, operator, games. Safe to repeat."
    requires_system_checks = ("__all__",)

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This is for the demo only: use `make run`.")
        call_command("migrate", interactive=False, verbosity=0)
        if not settings.RECEIPT_KEY_FILE.exists():
            call_command("make_receipt_key", verbosity=0, stdout=StringIO())
        operator = operator_ready(settings.DEMO_PASSWORD_FILE.read_text().strip())
        for name in games_missing():
            call_command("create_game", name, "--gm", operator.email, *PACES[name])
        self.stdout.write("Ready.")
