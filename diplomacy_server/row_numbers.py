"""The numbers that rows have had, deleted rows included.

No number may be given out twice: reply addresses are made of numbers, and we would take an answer
to an old mail for an answer to a new one.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.schema import DatabaseSchemaEditor
from django.db.models import AutoField, Model

_LAST = {
    "postgresql": "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s))",
    "sqlite": "SELECT seq FROM sqlite_sequence WHERE name = %s AND %s <> ''",
}
_BEGIN_AFTER = {
    "postgresql": ["SELECT setval(pg_get_serial_sequence(%(table)s, %(key)s), %(last)s)"],
    "sqlite": [
        "DELETE FROM sqlite_sequence WHERE name = %(table)s",
        "INSERT INTO sqlite_sequence (name, seq) VALUES (%(table)s, %(last)s)",
    ],
}
"""SQLite notes no number for a table before its first row."""


def last_number(database: BaseDatabaseWrapper, model: type[Model]) -> int:
    """Return the highest number that the database has given to a row of this model; 0 if none."""
    key = model._meta.pk
    if not isinstance(key, AutoField):
        return 0
    with database.cursor() as cursor:
        cursor.execute(_LAST[database.vendor], [model._meta.db_table, key.column])
        row = cursor.fetchone()
    return (row and row[0]) or 0


def begin_after(database: BaseDatabaseWrapper, model: type[Model], last: int) -> None:
    """Have the next row of this model get a higher number than `last`."""
    if last <= last_number(database, model):
        return
    place = {"table": model._meta.db_table, "key": model._meta.pk.column, "last": last}
    with database.cursor() as cursor:
        for statement in _BEGIN_AFTER[database.vendor]:
            cursor.execute(statement, place)


class KeepsNumbers(DatabaseSchemaEditor):
    """Changes tables of SQLite as Django does, but keeps their last numbers. Most changes copy a
    table to a new one, which would go on from the rows that are left."""

    def _remake_table(self, model: type[Model], **changes: Any) -> None:
        last = last_number(self.connection, model)
        super()._remake_table(model, **changes)  # type: ignore[misc]
        begin_after(self.connection, model, last)
