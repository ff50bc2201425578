#!/usr/bin/env python
"""Django's command line for this project."""

import gc
import os
import sys

import django
from django.core.management import call_command, execute_from_command_line
from django.db import OperationalError


def main(argv: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
    # What a start loads stays: looking for garbage in it took a tenth of a tick from cron.
    gc.set_threshold(10_000)
    if argv[1:] in (["version"], ["--version"]):
        # Django answers these two itself, with its own version, before it looks for a command.
        django.setup()
        call_command("version")
    else:
        execute_from_command_line(argv)


if __name__ == "__main__":
    try:
        main(sys.argv)
    except OperationalError as error:
        # What an operator meets first on a bad day needs a sentence, not forty lines of trace.
        said = (str(error).strip().splitlines() or ["no answer"])[0]
        if said.startswith("no such table"):
            sys.exit("The database has no tables yet. Run `manage.py migrate`.")
        sys.exit(f"The database cannot be reached: {said}. `manage.py doctor` looks closer.")
