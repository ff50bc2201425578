"""manage.py backup FOLDER: write the database to a file, and delete old backups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from diplomacy_server.backups import KEEP_DAYS, KEEP_WEEKS, BackupError, rotate, write_backup
from diplomacy_server.backups_told import tell_operators
from diplomacy_server.management.quiet import QuietCommand
from games.queries.reports.wording import counted


class Command(QuietCommand):
    """A timer runs it every night."""

    help = (
        "Back up the database into a folder, while the server runs. Keeps all backups of the last "
        f"24 hours, and the newest of each of {KEEP_DAYS} days and {KEEP_WEEKS} weeks."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        try:
            backup = write_backup(options["folder"], now)
        except (BackupError, OSError) as error:
            said = f"No backup was made. {error}"
            tell_operators(said, subject="No backup was made", now=now)
            raise CommandError(said) from error
        made = f"{backup.path}: {backup.path.stat().st_size} bytes"
        try:
            gone = rotate(options["folder"], now)
        except OSError as error:
            raise CommandError(f"{made}; but an old file cannot be deleted. {error}") from error
        self.stdout.write(f"{made}; {counted(gone, 'old file')} deleted.")
