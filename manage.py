#!/usr/bin/env python
"""Django's command line for this project."""

import gc
import os
import pwd
import shlex
import sys
from pathlib import Path

import django
from django.core.management import BaseCommand, ManagementUtility, call_command
from django.db import DatabaseError, OperationalError

ENV_FILE = Path(__file__).with_name(".env")


class Commands(ManagementUtility):
    """Django's command line; what a start loads stays, so nobody looks for garbage in it.

    Looking, when it was loaded and again in the end, took a quarter of a tick from cron.
    """

    def execute(self) -> None:
        gc.disable()
        super().execute()

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """Return the command, now that all is loaded that it needs."""
        command = super().fetch_command(subcommand)
        gc.freeze()
        gc.enable()
        return command


def main(argv: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
    if argv[1:] in (["version"], ["--version"]):
        # Django answers these two itself, with its own version, before it looks for a command.
        django.setup()
        call_command("version")
    else:
        Commands(argv).execute()


def of_another_release(error: DatabaseError) -> bool:
    """Whether a table or a column is missing, because `migrate` was not run, or was cut off."""
    if sqlstate := getattr(error.__cause__, "sqlstate", None):
        return sqlstate in ("42P01", "42703")
    return any(word in str(error) for word in ("no such table", "no such column", "has no column"))


def run(argv: list[str]) -> None:
    """Do what the command line says; a database that is away or old ends it with a sentence."""
    try:
        main(argv)
    except DatabaseError as error:
        # What an operator meets first on a bad day needs a sentence, not forty lines of trace.
        said = (str(error).strip().splitlines() or ["no answer"])[0]
        if of_another_release(error):
            sys.exit(
                "The database does not have the tables of this release. Run `manage.py migrate`."
            )
        if not isinstance(error, OperationalError):
            raise
        sys.exit(f"The database cannot be reached: {said}. `manage.py doctor` looks closer.")


def owner_to_work_as(env_file: Path) -> str | None:
    """Return the user whose server this is, if we are root or somebody else who may not read its
    settings; only a real server has such a file."""
    owner, us = env_file.stat().st_uid if env_file.exists() else 0, os.geteuid()
    if owner in (0, us) or (us != 0 and os.access(env_file, os.R_OK)):
        return None
    return name_of(owner)


def name_of(uid: int) -> str:
    """Return the name of the user with this number, as `sudo -u` takes it."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"'#{uid}'"


def refuse_others(argv: list[str]) -> None:
    """End the command of root, or of anybody but the server's user, with the one to write.

    The server cannot read what root has written, such as static files or the key of receipts, and
    then does not start.
    """
    if owner := owner_to_work_as(ENV_FILE):
        command = f"sudo -u {owner} .venv/bin/python manage.py {shlex.join(argv[1:])}".rstrip()
        us = name_of(os.geteuid())
        sys.exit(f"You are {us}, and this server works as {owner}. Write: {command}")


if __name__ == "__main__":
    refuse_others(sys.argv)
    run(sys.argv)
