"""Prepared statements outlive what a savepoint undoes.

psycopg forgets all that a connection has prepared with every ROLLBACK, that to a savepoint among
them: a table made since would be gone. Ours are made by migrations alone. A worker that comes upon
a game which another holds undoes one mail of those it has (`mailer/inbound/processing.py`), and
everything was planned anew: with two workers that took a quarter of the database's time for a mail,
with eight a third.

A whole transaction that is undone still forgets them: after a migration that is the way out for a
worker whose statements no longer fit their columns.
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
"""The threshold by which docs/operators.md has nothing prepared."""


class KeptStatements(PrepareManager):
    """What a connection has prepared, and keeps when it goes back to a savepoint."""

    def _should_discard(self, prep: Prepare, results: Sequence[PGresult], *given: object) -> bool:
        if any(result.command_status == UNDONE for result in results):
            return False
        return super()._should_discard(prep, results)


def threshold_of(asked: int | None) -> int | None:
    """After how often a statement is prepared; None: never, not even those for many rows, which
    psycopg prepares at once below any number. A pool that hands each transaction another connection
    needs that."""
    return None if asked is None or asked >= NEVER else asked


def keep(database: DatabaseWrapper) -> None:
    """Let a new connection keep its statements."""
    connection = database.connection
    kept = KeptStatements()
    kept.prepare_threshold = threshold_of(connection.prepare_threshold)
    connection._prepared = kept
