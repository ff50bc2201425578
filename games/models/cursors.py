"""How we send the statements that `prepared` and `stored` build only once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.utils import CursorWrapper
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

    from games.models.direct import Direct


class _Kept(threading.local):
    """A thread's cursor, and the open connection of its driver to which it belongs."""

    driver: Any = None
    cursor: Any = None
    direct: Direct | None = None
    """For PostgreSQL."""


_KEPT = _Kept()


def kept_cursor() -> CursorWrapper:
    """Return this thread's cursor for statements whose rows are all fetched before the next.

    Do not close it: a new cursor for each doubled what a small statement costs us (49 instead of 24
    µs with PostgreSQL). After a connection was lost there is a new one, and also while somebody
    looks at its statements.
    """
    ours = _connected()
    _keep(ours)
    kept: CursorWrapper = ours.cursor() if ours.queries_logged else _KEPT.cursor
    return kept


def fetched(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run a statement; return its rows.

    If something breaks before the rows are read, the cursor is closed: SQLite commits nothing while
    a statement is in progress, and a kept cursor would never end it.
    """
    if direct := _answered(sql, values):
        return direct[0].rows(direct[1])
    cursor = kept_cursor()
    try:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
    except BaseException:
        _forget()
        cursor.close()
        raise


def written(sql: str, values: Sequence[Any]) -> int:
    """Run a statement; return how many rows it has written."""
    if direct := _answered(sql, values):
        return direct[1].command_tuples or 0
    cursor = kept_cursor()
    cursor.execute(sql, values)
    return int(cursor.rowcount)


def _answered(sql: str, values: Sequence[Any]) -> tuple[Direct, PGresult] | None:
    """What PostgreSQL answers without a cursor; None if we need a cursor after all."""
    ours = _connected()
    if ours.vendor != "postgresql" or ours.queries_logged or ours.execute_wrappers:
        return None
    ours.validate_no_broken_transaction()
    _keep(ours)
    direct: Any = _KEPT.direct
    try:
        with ours.wrap_database_errors:
            return direct, direct.sent(sql, values)
    except OverflowError:
        return None


def _connected() -> Any:
    """Our connection, opened if it was closed."""
    ours = connections[DEFAULT_DB_ALIAS]  # looked up once: `connection` does it for each word
    ours.close_if_health_check_failed()
    ours.ensure_connection()  # which tests that may not use the database forbid
    return ours


def _keep(ours: Any) -> None:
    """Keep the cursors that belong to the open connection."""
    if _KEPT.driver is ours.connection:
        return
    _KEPT.cursor, _KEPT.driver = ours.cursor(), ours.connection
    if ours.vendor == "postgresql":
        # A server on SQLite needs no psycopg loaded.
        _KEPT.direct = import_string("games.models.direct.Direct")(ours.create_cursor())


def _forget() -> None:
    """Make a new cursor next time."""
    _KEPT.cursor = _KEPT.driver = _KEPT.direct = None
