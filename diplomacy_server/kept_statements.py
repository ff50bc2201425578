"""Prepared statements outlive what a savepoint undoes.

psycopg forgets everything that a connection has prepared at every ROLLBACK, even to a savepoint,
since a table made in between would be gone. Our tables are made only by migrations. A worker that
meets a game which another holds undoes one of its mails (`mailer/inbound/processing.py`), and then
everything had to be planned again. That took a quarter of the database's time for a mail with two
workers, a third with eight.

Undoing a whole transaction still forgets them. After a migration that helps a worker whose
statements no longer fit their columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from psycopg._preparing import Prepare, PrepareManager  # it has no public name

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper
    from psycopg.pq.abc import PGresult

UNDONE = b"ROLLBACK"
NEVER = 1_000_000
"""The threshold with which docs/operators.md prepares nothing."""


class KeptStatements(PrepareManager):
    """What a connection has prepared, and keeps when it goes back to a savepoint."""

    def _should_discard(self, prep: Prepare, results: Sequence[PGresult], *given: object) -> bool:
        if any(result.command_status == UNDONE for result in results):
            return False
        return super()._should_discard(prep, results)


def threshold_of(asked: int | None) -> int | None:
    """After how many uses a statement is prepared.

    None means never, not even statements for many rows, which psycopg prepares at once below any
    number. A pool that hands each transaction another connection needs that.
    """
    return None if asked is None or asked >= NEVER else asked


def keep(database: DatabaseWrapper) -> None:
    """Let a new connection keep its statements."""
    connection = database.connection
    kept = KeptStatements()
    kept.prepare_threshold = threshold_of(connection.prepare_threshold)
    connection._prepared = kept
