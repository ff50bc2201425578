"""`manage.py command_manual`: writes the manual of all commands that can be mailed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from mailer.commands import gm, player
from mailer.commands.manual import manual


class Command(BaseCommand):
    help = "Write docs/commands.md to standard output."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(manual(player.COMMANDS, gm.COMMANDS), ending="")
