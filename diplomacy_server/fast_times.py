"""Reads times from PostgreSQL with the standard library.

Django has psycopg take them apart in Python with a regular expression, and then sets their zone.
For the times that an order mail reads, that took a tenth of the mail's time (0.4 ms of 4.1).
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
    """The zone of all connections; Django looks for it here."""

    def load(self, data: Buffer) -> dt.datetime:
        """Return the time in UTC. Raises DataError for one that no `datetime` can hold."""
        try:
            return dt.datetime.fromisoformat(str(data, "ascii")).astimezone(dt.UTC)
        except ValueError:  # infinity, or a year beyond 9999 or before 1
            return super().load(data).astimezone(dt.UTC)


def use_fast_times(database: DatabaseWrapper) -> None:
    """Make a new connection read times this way."""
    if database.timezone is dt.UTC:
        database.connection.adapters.register_loader("timestamptz", TimeLoader)
