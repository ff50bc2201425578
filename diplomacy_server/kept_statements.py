"""Behind a pool, which hands each transaction another connection, no statement is kept prepared."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper

NEVER = 1_000_000
"""The threshold with which docs/operators.md prepares nothing."""


def keep(database: DatabaseWrapper) -> None:
    """Let a new connection keep its statements, or none.

    psycopg prepares what writes many rows at once below any threshold; only None prevents that.
    """
    driver = database.connection
    if (driver.prepare_threshold or 0) >= NEVER:
        driver.prepare_threshold = None
