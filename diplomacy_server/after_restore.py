"""What has to happen after a backup is restored and before the server starts."""

from __future__ import annotations

import datetime as dt

from django.db import connection

from games.errors import WrongState
from games.queries.reports.wording import counted, local_moment
from games.services.clock.halts import server_restored
from mailer import jobs
from mailer.inbound import read_again

STEP = 100_000
"""How many numbers to skip in each table, in place of the rows that are lost."""
_SKIP_NUMBERS = {
    "postgresql": [
        f"SELECT setval(seqrelid::regclass, nextval(seqrelid::regclass) + {STEP}) FROM pg_sequence"
    ],
    "sqlite": [
        # It notes no number for a table before its first row, and that row may be among those lost.
        "INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_master "
        "WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' "
        "AND name NOT IN (SELECT name FROM sqlite_sequence)",
        f"UPDATE sqlite_sequence SET seq = seq + {STEP}",
    ],
}


def catch_up(*, broke_at: dt.datetime, now: dt.datetime) -> str:
    """Make a restored database ready to go on; say in a sentence what was done.

    `broke_at` is when the server broke down: what was due before that is decided again, and only
    deadlines of the outage itself move. Can be repeated if it fails. Raises WrongState if a mailbox
    cannot be read, or the database is no backup from before that time.
    """
    if broke_at > now:
        raise WrongState(
            f"{local_moment(broke_at)} is yet to come. When did the server break down?"
        )
    since = read_again.backup_time(broke_at)
    skip_lost_numbers()
    read_again.move_back(since)
    told = server_restored(broke_at=broke_at, backup_at=since, now=now)
    jobs.tell(now)
    new = read_again.read_all(broke_at=broke_at, now=now)
    read = f"{counted(new, 'mail')} came since the backup and will be worked on again"
    return f"{read}; the players of {counted(told, 'game')} are told. Start the server."


def skip_lost_numbers() -> None:
    """Keep new rows from getting the numbers of lost ones: reply addresses are made of these
    numbers, and we would take an answer to a lost mail for an answer to a new one."""
    with connection.cursor() as cursor:
        for statement in _SKIP_NUMBERS[connection.vendor]:
            cursor.execute(statement)
