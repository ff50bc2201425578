#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

import django
from django.core.management import call_command, execute_from_command_line


def main(argv: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
    if argv[1:] in (["version"], ["--version"]):
        # Django answers these two itself, with its own version, before it looks for a command.
        django.setup()
        call_command("version")
    else:
        execute_from_command_line(argv)


if __name__ == "__main__":
    main(sys.argv)
