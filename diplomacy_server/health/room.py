"""Whether the database takes anything new, found out by trying, at no cost to what it keeps.

On a full disk PostgreSQL answers every question, while mail that it cannot store waits unseen in
the mailbox: without a trial we would not know for a quarter of an hour.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from django.db import DatabaseError, connection, transaction

FULL = 16 * 1024**2
"""With less than this free, SQLite soon writes nothing more."""
PEACE = 30.0
"""For how many seconds we trust a trial that went well: anybody may ask for /healthz, as often as
they like."""
PEACE_IN_TROUBLE = 2.0
"""For how many seconds we trust one that failed: a sick database needs rest, too, but we want to
know soon when it is well again."""
_SORT = (
    "SELECT count(*) FROM (SELECT repeat('w', 1000) || n FROM generate_series(1, 1000) AS n "
    "ORDER BY 1 OFFSET 0) AS sorted"
)
"""A megabyte that has to be sorted, and does not fit into the memory that we allow for it."""


class Trial:
    """Tries, for one process, and trusts the result for a while."""

    def __init__(self) -> None:
        self.why = ""
        self.known_until = 0.0

    def why_no_room(self) -> str:
        """Return why the database takes nothing new, "" if it does."""
        if time.monotonic() >= self.known_until:
            self.why = _why_no_room()
            self.known_until = time.monotonic() + (PEACE_IN_TROUBLE if self.why else PEACE)
        return self.why


why_no_room = Trial().why_no_room


def _why_no_room() -> str:
    if connection.vendor == "sqlite":
        folder = Path(connection.settings_dict["NAME"]).parent
        free = shutil.disk_usage(folder).free
        return f"only {free / 1024**2:.0f} MB are free at {folder}" if free < FULL else ""
    return _why_no_room_for_a_sort()


def _why_no_room_for_a_sort() -> str:
    """Say why there is no room for a sort. PostgreSQL sorts what is too large for its memory in a
    file beside its tables, and deletes the file: no row, no log and no table grows by that."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('work_mem', '64kB', true)")
            cursor.execute(_SORT)
            cursor.execute("SELECT current_setting('transaction_read_only')")
            return "it is read-only" if cursor.fetchone()[0] == "on" else ""
    except DatabaseError as error:
        if connection.connection is None or connection.connection.closed:
            raise
        return str(error).strip().partition("\n")[0].rstrip(".")
