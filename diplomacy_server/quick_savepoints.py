"""Sends savepoints to PostgreSQL without the cursors around them.

Each of twenty mails that are worked on together has a savepoint. Django makes two cursors for it,
and takes 61 µs of our processor time, warm; without them it takes 31.

Nor does psycopg see the savepoints. Each has another name, so psycopg used to count each as another
statement, and to forget how often others had come that it was about to prepare. At every ROLLBACK,
even to a savepoint, it forgets what a connection has prepared, since a table made in between would
be gone. But only migrations make our tables, while a worker that meets a game which another holds
undoes one of its mails (`mailer/inbound/processing.py`), and planning everything again took a
quarter of the database's time for a mail with two workers, a third with eight. Undoing a whole
transaction still makes psycopg forget, which helps a worker whose statements no longer fit their
columns after a migration.

`_savepoint` and the methods beside it are where a backend of Django's says how it does this;
psycopg sends its own savepoints by `_start_query` and `_exec_command`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper

WAYS = {
    "_savepoint": "savepoint_create_sql",
    "_savepoint_commit": "savepoint_commit_sql",
    "_savepoint_rollback": "savepoint_rollback_sql",
}


def use_quick_savepoints(database: DatabaseWrapper) -> None:
    """Make a connection send savepoints this way."""
    for name, sql in WAYS.items():
        usual = partial(getattr(type(database), name), database)
        setattr(database, name, partial(_send, database, getattr(database.ops, sql), usual))


def _send(
    database: DatabaseWrapper,
    sql_of: Callable[[str], str],
    usual: Callable[[str], None],
    name: str,
) -> None:
    """Send it; by a cursor, as usual, if somebody watches the statements."""
    driver = database.connection
    if driver is None or database.queries_logged or database.execute_wrappers:
        usual(name)
        return
    database.validate_no_broken_transaction()
    with database.wrap_database_errors, driver.lock:
        driver.wait(_sent(driver, sql_of(name)))


def _sent(driver: Any, sql: str) -> Generator[Any, Any, None]:
    yield from driver._start_query()  # BEGIN, if nothing came before
    yield from driver._exec_command(sql)
