"""Keeps no statement prepared behind a pool, which hands each transaction another connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper

NEVER = 1_000_000
"""With this threshold docs/operators.md has the driver prepare nothing."""


def keep(database: DatabaseWrapper) -> None:
    """Have a new connection keep its prepared statements, or prepare none.

    psycopg prepares what writes many rows at once below any threshold; only None prevents that.
    """
    driver = database.connection
    if (driver.prepare_threshold or 0) >= NEVER:
        driver.prepare_threshold = None
