"""`python -m diplomacy_server.restore_check`: what a restore drill does in the restored database.

It does everything in one process, because starting one takes longer than most of the checks. It
says nothing if the database that DATABASE_URL names holds nothing of a game server.
"""

from __future__ import annotations

import sys

import django
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder


def main() -> None:
    django.setup()
    # SQLite would take an empty file for a database, and the migrations would fill it.
    if not any(app == "games" for app, _ in MigrationRecorder(connection).applied_migrations()):
        return
    try:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=False)
        call_command("verify_log")
    except CommandError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
