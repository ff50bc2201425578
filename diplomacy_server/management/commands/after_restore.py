"""manage.py after_restore TIME: make a restored database ready before the server starts."""

from __future__ import annotations

import argparse
import datetime as dt
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from diplomacy_server.after_restore import catch_up
from games.management.plain import PlainCommand


def _time(written: str) -> dt.datetime:
    try:
        found = parse_datetime(written) if ":" in written else None  # midnight is a guess
    except ValueError:  # no such day
        found = None
    if found is None:
        raise argparse.ArgumentTypeError("write a time like 2026-11-27T14:05Z")
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


class Command(PlainCommand):
    help = (
        "Make a database that was restored from a backup ready to go on, before the services "
        "start: mails that came since the backup are moved back in the mailbox and read again, new "
        "rows get no numbers of lost ones, and the players of all games are told."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "time",
            type=_time,
            help="when the server broke down, in UTC, like 2026-11-27T14:05Z: phases that were due "
            "before are decided again, deadlines since then move",
        )

    def run(self, **options: Any) -> str:
        return catch_up(broke_at=options["time"], now=timezone.now())
