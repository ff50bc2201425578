"""Times from PostgreSQL, read by the standard library.

Django has psycopg take them apart in Python, by a regular expression, and then sets their zone.
For all that an order mail reads it took a tenth of its time (0.4 ms of 4.1).
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from psycopg.types.datetime import TimestamptzLoader

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper
    from psycopg.abc import Buffer


class TimeLoader(TimestamptzLoader):
    """Reads times as Django's own does."""

    timezone = dt.UTC
    """Of all connections; Django looks for it here."""

    def load(self, data: Buffer) -> dt.datetime:
        """Return the time in UTC. Raises DataError for one that no `datetime` can be."""
        try:
            return dt.datetime.fromisoformat(str(data, "ascii")).astimezone(dt.UTC)
        except ValueError:  # infinity, or a year beyond 9999 or before 1
            return super().load(data).astimezone(dt.UTC)


def read_quickly(database: DatabaseWrapper) -> None:
    """Have a new connection read times so."""
    if database.timezone is dt.UTC:
        database.connection.adapters.register_loader("timestamptz", TimeLoader)
