"""Statements of the two hot paths, a mail and a phase: their SQL is built once, not each time.

Django builds the SQL of a queryset anew whenever it runs, and that takes several times as long as
to run it. What every mail and every phase asks is always the same but for its values: it is written
as a queryset like any other, with a `Given` in the place of each value, and its SQL is kept.
Elsewhere plain querysets do.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection, models, transaction
from django.db.models.expressions import Expression
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery

M = TypeVar("M", bound=models.Model)
KEY = models.BigIntegerField()
TIME = models.DateTimeField()
TEXT = models.TextField()
ROWS_AT_ONCE = 25
"""SQLite takes 32766 values in a statement, and no table of ours has 100 columns."""


class _Place(NamedTuple):
    """Where a value belongs among those that are the same each time, and how a column has it."""

    name: str
    field: models.Field[Any, Any]


class Given(Expression):
    """A value that is known when the statement is sent, by its name."""

    def __init__(self, name: str, field: models.Field[Any, Any] = KEY) -> None:
        super().__init__(output_field=field)
        self.place = _Place(name, field)

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self.place]


class _Column:
    """How the database wants the values of one column; it is asked for hundreds in each phase."""

    def __init__(self, field: Any) -> None:
        self.field = field
        self.name = getattr(field, "attname", "")
        times = _TIMES if connection.vendor == "postgresql" else _NONE
        self._plain = _NONE if isinstance(field, models.JSONField) else _PLAIN | times

    def prepared(self, value: Any) -> Any:
        """Return the value as the database wants it in this column."""
        if type(value) in self._plain:
            return value
        return self.field.get_db_prep_save(value, connection)

    def of(self, row: models.Model) -> Any:
        """Return the row's value of this column, as the database wants it."""
        return self.prepared(getattr(row, self.name))


_NONE: frozenset[type] = frozenset()
_PLAIN = frozenset({str, int, bool, NoneType})
"""What every database takes in every column but one of JSON: half of what a row cost was to have
Django say so."""
_TIMES = frozenset({dt.datetime, dt.timedelta})
"""What PostgreSQL takes besides."""


class _Statement:
    """SQL with the values that stay and the places of those that are given.

    Words and numbers that stay are written into the SQL. PostgreSQL plans a prepared statement once
    for all its parameters: with the state of a mail among them it does not know that an index of
    the few mails in that state will do, and reads the table whole.
    """

    def __init__(self, sql: str, params: Sequence[Any]) -> None:
        left, parts, stay = iter(params), [], []
        for part in _PLACES.split(sql):
            if part != "%s":
                parts.append(part)
            elif (text := _as_sql(one := next(left))) is not None:
                parts.append(text)
            else:
                parts.append(part)
                stay.append(one)
        self.sql = "".join(parts)
        self.params: list[tuple[str, Any]] = [
            (one.name, _Column(one.field)) if type(one) is _Place else ("", one) for one in stay
        ]

    def values(self, given: dict[str, Any]) -> list[Any]:
        return [one.prepared(given[name]) if name else one for name, one in self.params]


_PLACES = re.compile("(%%|%s)")
_WORD = re.compile(r"[A-Za-z0-9_ -]*")


def _as_sql(value: Any) -> str | None:
    """Return a value as SQL has it, where that is plain to see; None where it is not."""
    if isinstance(value, int) and not isinstance(value, bool):  # psycopg has kinds of its own
        return str(int(value))
    if isinstance(value, str) and _WORD.fullmatch(value):
        return f"'{value}'"
    return None


class Query(Generic[M]):
    """A queryset that is always the same but for its values; `build` makes it, once.

    It may join by `select_related`, annotate and lock, but not prefetch. A `Given` takes the place
    of a value in filters and annotations; not behind `iexact` and its like, which prepare theirs.
    """

    def __init__(self, build: Callable[[], models.QuerySet[M]]) -> None:
        self._build = build

    def all(self, **given: Any) -> list[M]:
        """Return the rows with these values."""
        statement, row = self._ready
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, statement.values(given))
            return [row(values) for values in cursor.fetchall()]

    def first(self, **given: Any) -> M | None:
        """Return the first row with these values, or None."""
        return next(iter(self.all(**given)), None)

    @cached_property
    def _ready(self) -> tuple[_Statement, Callable[[Sequence[Any]], M]]:
        query = self._build().query
        compiler: Any = query.get_compiler(using=connection.alias)
        statement = _Statement(*compiler.as_sql())
        return statement, _reader(compiler)


def _reader(compiler: Any) -> Callable[[Sequence[Any]], Any]:
    """Return what turns a row of this compiled query into its model, as a queryset does."""
    found = compiler.klass_info
    model, at = found["model"], found["select_fields"]
    names = [compiler.select[index][0].target.attname for index in at]
    start, end = at[0], at[-1] + 1
    related = get_related_populators(  # type: ignore[call-arg]
        found, compiler.select, connection.alias
    )
    annotated = list(compiler.annotation_col_map.items())
    converters = list(compiler.get_converters([one[0] for one in compiler.select]).items())

    def read(row: Sequence[Any]) -> Any:
        values = list(row)
        for index, (converts, expression) in converters:
            for convert in converts:
                values[index] = convert(values[index], expression, connection)
        one = model.from_db(connection.alias, names, values[start:end])
        for populator in related:
            populator.populate(values, one)
        for name, index in annotated:
            setattr(one, name, values[index])
        return one

    return read


class Update:
    """An UPDATE that is always the same but for its values, see `Query`.

    `returning` names a column that `all` and `first` return of the rows that were written; `rows`
    returns several.
    """

    def __init__(
        self,
        build: Callable[[], models.QuerySet[Any]],
        returning: str | Sequence[str] = (),
        **columns: Any,
    ) -> None:
        self._build, self._columns = build, columns
        self._returning = [returning] if isinstance(returning, str) else list(returning)

    def run(self, **given: Any) -> int:
        """Write the columns; returns in how many rows."""
        with connection.cursor() as cursor:
            cursor.execute(self._ready.sql, self._ready.values(given))
            return int(cursor.rowcount)

    def all(self, **given: Any) -> list[Any]:
        """Write the columns; returns one column of each row."""
        return [value for (value,) in self.rows(**given)]

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """Write the columns; returns those that `returning` names, of each row."""
        with connection.cursor() as cursor:
            cursor.execute(self._ready.sql, self._ready.values(given))
            return list(cursor.fetchall())

    def first(self, **given: Any) -> Any:
        """Write the columns; returns one column of the first row, None where there is no row."""
        return next(iter(self.all(**given)), None)

    @cached_property
    def _ready(self) -> _Statement:
        query: Any = self._build().query.chain(UpdateQuery)
        query.add_update_values(self._columns)
        # Django builds what locks in a transaction only; one UPDATE is a transaction by itself.
        with transaction.atomic(savepoint=False):
            sql, params = query.get_compiler(using=connection.alias).as_sql()
        if self._returning:
            sql += f" RETURNING {', '.join(map(connection.ops.quote_name, self._returning))}"
        return _Statement(sql, params)


class Insert(Generic[M]):
    """Writes new rows of one model, with a value for every column but the key."""

    def __init__(self, model: type[M]) -> None:
        self._model = model
        self._sql: dict[tuple[int, str], str] = {}

    def one(self, row: M) -> M:
        """Write one row; returns it with its key."""
        return self.all([row])[0]

    def all(self, rows: Sequence[M]) -> Sequence[M]:
        """Write the rows, many in a statement; returns them with their keys."""
        for some in _batches(rows):
            for row, (key,) in zip(some, self._written(some, "RETURNING id"), strict=True):
                _is_stored(row, key)
        return rows

    def new(self, rows: Sequence[M], unique: str) -> bool:
        """Write the rows but for those that are there already, which stay as they are; whether all
        were new. The column `unique` tells which those are; the new ones have their keys then."""
        known = {getattr(row, unique): row for row in rows}
        written = 0
        for some in _batches(rows):
            end = f"ON CONFLICT DO NOTHING RETURNING id, {connection.ops.quote_name(unique)}"
            for key, value in self._written(some, end):
                _is_stored(known[value], key)
                written += 1
        return written == len(rows)

    def _written(self, rows: Sequence[M], end: str) -> list[tuple[Any, ...]]:
        values = [column.of(row) for row in rows for column in self._columns]
        with connection.cursor() as cursor:
            cursor.execute(self._sql_for(len(rows), end), values)
            return list(cursor.fetchall())

    @cached_property
    def _columns(self) -> list[_Column]:
        fields = self._model._meta.local_concrete_fields
        return [_Column(one) for one in fields if not one.primary_key]

    def _sql_for(self, number: int, end: str) -> str:
        if (number, end) not in self._sql:
            name = connection.ops.quote_name
            columns = ", ".join(name(one.field.column) for one in self._columns)
            row = f"({', '.join(['%s'] * len(self._columns))})"
            self._sql[number, end] = (
                f"INSERT INTO {name(self._model._meta.db_table)} ({columns}) "
                f"VALUES {', '.join([row] * number)} {end}"
            )
        return self._sql[number, end]


def _batches(rows: Sequence[M]) -> Iterator[Sequence[M]]:
    return (rows[start : start + ROWS_AT_ONCE] for start in range(0, len(rows), ROWS_AT_ONCE))


def _is_stored(row: models.Model, key: int) -> None:
    row.pk = key
    row._state.adding, row._state.db = False, connection.alias


class Save(Generic[M]):
    """Writes these fields of a row that is there, as `save(update_fields=…)` does."""

    def __init__(self, model: type[M], *names: str) -> None:
        self._model, self._names = model, names

    def one(self, row: M) -> None:
        """Write the fields of this row."""
        values = [column.of(row) for column in self._columns]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [*values, row.pk])

    @cached_property
    def _columns(self) -> list[_Column]:
        meta: Any = self._model._meta
        return [_Column(meta.get_field(name)) for name in self._names]

    @cached_property
    def _sql(self) -> str:
        name = connection.ops.quote_name
        columns = ", ".join(f"{name(one.field.column)} = %s" for one in self._columns)
        return f"UPDATE {name(self._model._meta.db_table)} SET {columns} WHERE id = %s"
