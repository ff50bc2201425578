"""Rows that a mail or a phase writes: the SQL is built only once for each model.

`prepared` does the reading, and says which internals of Django both rely on. Here these are only
how a field prepares a value (`get_db_prep_save`), and `_state`. We send no signal, and call neither
`save` nor a field's `pre_save`: a column like `auto_now` would not be written.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection, models
from django.db.models.base import ModelState

from games.models.cursors import fetched, kept_cursor, written

M = TypeVar("M", bound=models.Model)
ROWS_AT_ONCE = 25
"""SQLite takes 32766 values in a statement, and none of our tables has 100 columns."""


class Column:
    """The values of one column as the database wants them; each phase asks for hundreds."""

    def __init__(self, field: Any) -> None:
        self.field = field
        self.name = getattr(field, "attname", "")
        times = _TIMES if connection.vendor == "postgresql" else _NONE
        self._is_json = isinstance(field, models.JSONField)
        self._plain = _NONE if self._is_json else _PLAIN | times

    def prepared(self, value: Any) -> Any:
        """Return the value as the database wants it in this column."""
        if type(value) in self._plain:
            return value
        return self.field.get_db_prep_save(value, connection)

    def of(self, row: models.Model) -> Any:
        """Return the row's value of this column, as the database wants it."""
        return self.prepared(getattr(row, self.name))

    def as_json(self, value: Any) -> Any:
        """Return a value that is not plain as JSON has it, for PostgreSQL to read it."""
        if self._is_json:
            return value
        return str(value if type(value) in _TIMES else self.prepared(value))


_NONE: frozenset[type] = frozenset()
_PLAIN = frozenset({str, int, bool, NoneType})
"""Values that every database takes in every column, except in one of JSON. Asking Django took half
of what a row costs."""
_TIMES = frozenset({dt.datetime, dt.timedelta})
"""What PostgreSQL takes as well."""


def fresh(model: type[M], **values: Any) -> M:
    """Return a new row with these values and the defaults of the rest, as the model itself would.

    A phase makes 17 rows of mails and reply addresses: in 5 µs each instead of 20.
    """
    blank = _blank(model)
    one = model.__new__(model)
    one._state = ModelState()
    attributes, known = vars(one), one._state.fields_cache
    attributes.update(blank.values)
    for name, default in blank.defaults:
        attributes[name] = default()
    for name, value in values.items():
        if column := blank.keys.get(name):
            attributes[column], known[name] = value and value.pk, value
        else:
            attributes[name] = value
    return one


class _Blank(NamedTuple):
    """What a new row of a model has if nobody says otherwise."""

    values: dict[str, Any]
    defaults: list[tuple[str, Callable[[], Any]]]
    """For columns whose default is made for each row."""
    keys: dict[str, str]
    """Per foreign key, the name of its column."""


@cache
def _blank(model: type[models.Model]) -> _Blank:
    fields: Any = model._meta.concrete_fields
    anew = [one for one in fields if callable(one.default) and one.has_default()]
    values = {one.attname: one.get_default() for one in fields if one not in anew}
    keys = {one.name: one.attname for one in fields if one.is_relation}
    return _Blank(values, [(one.attname, one.default) for one in anew], keys)


class Insert(Generic[M]):
    """Writes new rows of one model, with a value for every column but the key.

    PostgreSQL gets several rows as one JSON text: with a parameter for each value (280 for the
    mails of a phase) its driver parsed the statement again each time, and the rows took twice as
    long (1.1 instead of 0.6 ms). A single row is slower that way (0.52 instead of 0.45 ms).
    """

    def __init__(self, model: type[M]) -> None:
        self._model = model

    def one(self, row: M) -> M:
        """Write one row; return it with its key."""
        return self.all([row])[0]

    def all(self, rows: Sequence[M]) -> Sequence[M]:
        """Write the rows, many in a statement; return them with their keys."""
        for some in _batches(rows):
            keys = [key for (key,) in self._write(some, "RETURNING id")]
            _mark_as_stored(zip(some, keys, strict=True))
        return rows

    def new(self, rows: Sequence[M], unique: str) -> bool:
        """Write the rows except those that exist already, which stay unchanged; return whether all
        were new.

        The column `unique` tells which are new; these get their keys. A row whose key is taken
        raises IntegrityError instead of counting as one that exists: a database that hands out old
        numbers again, as after a failover that forgot how far it was, would otherwise swallow one
        row after another.
        """
        known = {getattr(row, unique): row for row in rows}
        count = 0
        for some in _batches(rows):
            new = self._write(some, self._yielding(unique))
            _mark_as_stored((known[value], key) for key, value in new)
            count += len(new)
        return count == len(rows)

    def _yielding(self, unique: str) -> str:
        """The clause that skips rows whose `unique`, or whose columns unique together with it,
        exist."""
        name = connection.ops.quote_name
        column = {one.field.name: one.field.column for one in self._columns}
        constraints = self._model._meta.total_unique_constraints
        together = [[column[field] for field in one.fields] for one in constraints]
        same = next((columns for columns in together if unique in columns), [unique])
        columns = ", ".join(map(name, same))
        return f"ON CONFLICT ({columns}) DO NOTHING RETURNING id, {name(unique)}"

    def _write(self, rows: Sequence[M], end: str) -> list[tuple[Any, ...]]:
        if len(rows) > 1 and self._as_json:
            return fetched(f"{self._as_json} {end}", [_json(rows, self._columns)])
        values = [column.of(row) for row in rows for column in self._columns]
        return fetched(f"{self._head} VALUES {', '.join([self._row] * len(rows))} {end}", values)

    @cached_property
    def _columns(self) -> list[Column]:
        fields = self._model._meta.local_concrete_fields
        return [Column(one) for one in fields if not one.primary_key]

    @cached_property
    def _head(self) -> str:
        name = connection.ops.quote_name
        return f"INSERT INTO {name(self._model._meta.db_table)} ({self._names})"

    @cached_property
    def _names(self) -> str:
        return ", ".join(connection.ops.quote_name(one.field.column) for one in self._columns)

    @cached_property
    def _row(self) -> str:
        return f"({', '.join(['%s'] * len(self._columns))})"

    @cached_property
    def _as_json(self) -> str:
        """The statement that takes all rows as one value, if the database can do that."""
        given = _rows_given(self._model, self._columns)
        return given and f"{self._head} SELECT {self._names} FROM {given}"


def _rows_given(model: type[models.Model], columns: Sequence[Column]) -> str:
    """Rows of a model given as JSON; empty if the database, or a column, cannot do that."""
    bytes_in_it = any(isinstance(one.field, models.BinaryField) for one in columns)
    if connection.vendor != "postgresql" or bytes_in_it:
        return ""
    table = connection.ops.quote_name(model._meta.db_table)
    return f"json_populate_recordset(NULL::{table}, %s)"


def _json(rows: Sequence[models.Model], columns: Sequence[Column]) -> str:
    of_each = [(one.field.column, one.name, one.as_json) for one in columns]
    rows_as_json = [
        {
            column: value if type(value) in _PLAIN else as_json(value)
            for column, name, as_json in of_each
            if (value := values[name]) is not None  # what is not there is NULL, too
        }
        for values in map(vars, rows)
    ]
    return json.dumps(rows_as_json)  # unescaped it takes twice as long


def _batches(rows: Sequence[M]) -> Iterator[Sequence[M]]:
    return (rows[start : start + ROWS_AT_ONCE] for start in range(0, len(rows), ROWS_AT_ONCE))


def _mark_as_stored(rows: Iterable[tuple[models.Model, int]]) -> None:
    """Note that the rows are in the database, each under its key."""
    alias = connection.alias
    for row, key in rows:
        vars(row)["id"] = key
        row._state.adding, row._state.db = False, alias


class Save(Generic[M]):
    """Writes these fields of existing rows, as `save(update_fields=…)` does."""

    def __init__(self, model: type[M], *names: str) -> None:
        self._model, self._names = model, names

    def one(self, row: M) -> None:
        """Write the fields of this row."""
        written(self._sql, self._values(row))

    def all(self, rows: Sequence[M]) -> None:
        """Write the fields of these rows; PostgreSQL gets several as one JSON text (`Insert`)."""
        if len(rows) > 1 and self._as_json:
            written(self._as_json, [_json(rows, [self._key, *self._columns])])
        else:
            kept_cursor().executemany(self._sql, [self._values(row) for row in rows])

    def _values(self, row: M) -> list[Any]:
        return [*(column.of(row) for column in self._columns), row.pk]

    @cached_property
    def _columns(self) -> list[Column]:
        meta: Any = self._model._meta
        return [Column(meta.get_field(name)) for name in self._names]

    @cached_property
    def _key(self) -> Column:
        return Column(self._model._meta.pk)

    @cached_property
    def _sql(self) -> str:
        name = connection.ops.quote_name
        columns = ", ".join(f"{name(one.field.column)} = %s" for one in self._columns)
        return f"UPDATE {name(self._model._meta.db_table)} SET {columns} WHERE id = %s"

    @cached_property
    def _as_json(self) -> str:
        """The statement that takes all rows as one value, if the database can do that."""
        name = connection.ops.quote_name
        table, names = name(self._model._meta.db_table), [one.field.column for one in self._columns]
        columns = ", ".join(f"{name(one)} = given.{name(one)}" for one in names)
        given = _rows_given(self._model, self._columns)
        return given and (
            f"UPDATE {table} SET {columns} FROM {given} given WHERE {table}.id = given.id"
        )
