"""manage.py restore_drill FOLDER: can the newest backup be restored, and is it whole?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from diplomacy_server.backups import BackupError, backups, try_out
from diplomacy_server.backups_told import tell_operators
from diplomacy_server.management.quiet import QuietCommand


class Command(QuietCommand):
    """A backup that was never restored is only a hope."""

    help = (
        "Restore the newest backup in a folder into a database of its own, upgrade it to this "
        "code, check every game's log there, and throw it away. The server goes on meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--oldest-hours",
            type=float,
            default=48.0,
            help="fail if the newest is older than this (48)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(_drill(options["folder"], options["oldest_hours"]))
        except CommandError as error:
            now = timezone.now()
            tell_operators(str(error), subject="The restore drill failed", now=now, is_drill=True)
            raise


def _drill(folder: Path, oldest_hours: float) -> str:
    """Try the newest backup, and return what to say about it. Raises CommandError if it is no
    good."""
    found = backups(folder)
    if not found:
        raise CommandError(f"There is no backup in {folder}.")
    newest, begun = found[-1], time.monotonic()
    try:
        said = try_out(newest)
    except (BackupError, OSError) as error:
        raise CommandError(f"{newest.path} cannot be restored. {error}") from error
    took = time.monotonic() - begun
    hours = (timezone.now() - newest.at).total_seconds() / 3600
    told = f"{newest.path.name}, {hours:.0f} h old, was restored in {took:.0f} s. {said}"
    if hours > oldest_hours:
        raise CommandError(f"{told}\nIt is too old: see why no newer one was made.")
    return told
