"""`manage.py settings_manual`: writes the page of all settings of a game."""

from __future__ import annotations

from typing import Any

from games.management.plain import PlainCommand
from games.settings.manual import manual


class Command(PlainCommand):
    help = "Write docs/settings.md to standard output."

    def run(self, **options: Any) -> str:
        return manual().rstrip("\n")
