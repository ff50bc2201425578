"""Having a mailbox to oneself while waiting for the network."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction

from mailer.models import Mailbox


@contextmanager
def alone_with(mailbox: Mailbox) -> Iterator[bool]:
    """Say whether we got the mailbox to ourselves; if so, nobody else gets it until the end.

    A process that dies lets go of it. On PostgreSQL we lock its row. SQLite has a single lock for
    all writing, so nobody could write until the mail server answers; there we lock a file next to
    the database, since everybody who uses that is on one machine.
    """
    if path := _file_of(mailbox):
        with path.open("ab") as file:
            yield _try_lock(file.fileno())
    else:
        with transaction.atomic():
            rows = Mailbox.objects.select_for_update(skip_locked=True)
            yield rows.filter(pk=mailbox.pk).exists()


def _file_of(mailbox: Mailbox) -> Path | None:
    """The mailbox's lock file; None on PostgreSQL, and for a database in memory, which nobody
    shares."""
    database = Path(str(connection.settings_dict["NAME"]))
    if connection.vendor != "sqlite" or not database.is_file():
        return None
    return database.with_name(f"{database.name}.mailbox-{mailbox.pk}.lock")


def _try_lock(file: int) -> bool:
    """Lock a file until it is closed; return False if somebody else has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
