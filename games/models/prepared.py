"""Statements of the two hot paths, a mail and a phase: their SQL is built only once.

Django builds a queryset's SQL again each time it runs, which takes several times as long as running
it. What every mail and every phase asks differs only in its values. So we write it as a queryset
like any other, with a `Given` for each value, and keep its SQL. Everywhere else plain querysets
will do. `stored` writes new and changed rows.

This takes parts of Django that its documentation does not promise, and that any release may change:
what a compiler knows once it has built its SQL (`select`, `klass_info`, `annotation_col_map`,
`get_converters`), `UpdateQuery`, and what a model that was read has in `_state`. No signal is sent,
and neither `from_db` nor `__init__` of a model is called. tests/games/test_prepared.py compares the
rows with a queryset's, down to their `_state`, and finds any model that needs what we skip.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models, transaction
from django.db.models.base import ModelState
from django.db.models.expressions import Expression
from django.db.models.sql import UpdateQuery

from games.models.cursors import fetched, written
from games.models.stored import Column

M = TypeVar("M", bound=models.Model)
KEY = models.BigIntegerField()
TIME = models.DateTimeField()
TEXT = models.TextField()


class _Place(NamedTuple):
    """Where a value belongs in a list whose other values stay the same, and how a column stores
    it."""

    name: str
    field: models.Field[Any, Any]


class Given(Expression):
    """A value that is known only when the statement is sent, by its name."""

    def __init__(self, name: str, field: models.Field[Any, Any] = KEY) -> None:
        super().__init__(output_field=field)
        self.place = _Place(name, field)

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self.place]


class _Statement:
    """SQL, with the values that stay and the places of those that are given.

    Words and numbers that stay are written into the SQL. PostgreSQL plans a prepared statement once
    for all values of its parameters. If the state of a mail is a parameter, it does not know that
    an index of the few mails in that state will do, and reads the whole table.
    """

    def __init__(self, sql: str, params: Sequence[Any], written: _Written) -> None:
        left, parts, stay = iter(params), [], []
        for part in _PLACES.split(sql):
            if part != "%s":
                parts.append(part)
            elif (text := written(one := next(left))) is not None:
                parts.append(text)
            else:
                parts.append(part)
                stay.append(one)
        self.sql = "".join(parts)
        self.params: list[tuple[str, Any]] = [
            (one.name, Column(one.field)) if type(one) is _Place else ("", one) for one in stay
        ]

    def values(self, given: dict[str, Any]) -> list[Any]:
        return [one.prepared(given[name]) if name else one for name, one in self.params]


_Written = Callable[[Any], str | None]
_PLACES = re.compile("(%%|%s)")
_WORD = re.compile(r"[A-Za-z0-9_ -]*")


def _as_sql(value: Any) -> str | None:
    """Return a value as SQL writes it, if that is obvious; otherwise None."""
    if isinstance(value, int) and not isinstance(value, bool):  # psycopg has kinds of its own
        return str(int(value))
    if isinstance(value, str) and _WORD.fullmatch(value):
        return f"'{value}'"
    return None


def _as_column(value: Any) -> str | None:
    """Return what is given as the column of the table that has it; anything else like `_as_sql`."""
    return f"given.{value.name}" if type(value) is _Place else _as_sql(value)


class Query(Generic[M]):
    """A queryset that differs only in its values; `build` makes it once.

    It may join by `select_related`, annotate and lock, but not prefetch. A `Given` replaces a value
    in filters and annotations, but not after `iexact` and similar lookups, which prepare their
    values.
    """

    _of_model: ClassVar[bool] = True

    def __init__(self, build: Callable[[], models.QuerySet[M]]) -> None:
        self._build = build

    def all(self, **given: Any) -> list[M]:
        """Return the rows with these values."""
        statement, row = self._ready
        return [row(values) for values in fetched(statement.sql, statement.values(given))]

    def first_of_each(self, given: Sequence[dict[str, Any]]) -> list[M | None]:
        """Return, for each of these sets of values, the first row with it, or None; PostgreSQL is
        asked for all at once."""
        if len(given) < 2 or connection.vendor != "postgresql":
            return [self.first(**values) for values in given]
        (statement, places), (_, row) = self._of_each, self._ready
        asked = [
            {"number": number, **{name: at.as_json(values[name]) for name, at in places.items()}}
            for number, values in enumerate(given)
        ]
        found: dict[int, M] = {}
        for number, *values in fetched(statement.sql, [json.dumps(asked), *statement.values({})]):
            found.setdefault(number, row(values))
        return [found.get(number) for number in range(len(given))]

    def first(self, **given: Any) -> M | None:
        """Return the first row with these values, or None."""
        return next(iter(self.all(**given)), None)

    def get(self, **given: Any) -> M:
        """Return the row with these values. Raises the model's DoesNotExist."""
        if (row := self.first(**given)) is None:
            model: Any = self._build().model
            raise model.DoesNotExist(f"No {model.__name__} with {given}.")
        return row

    @cached_property
    def _ready(self) -> tuple[_Statement, Callable[[Sequence[Any]], M]]:
        query = self._build().query
        compiler: Any = query.get_compiler(using=connection.alias)
        sql, params = compiler.as_sql()
        return _Statement(sql, params, _as_sql), _reader(compiler, of_model=self._of_model)

    @cached_property
    def _of_each(self) -> tuple[_Statement, dict[str, Column]]:
        """The same for each row of a table given as JSON, and that table's columns."""
        query = self._build().query
        sql, params = query.get_compiler(using=connection.alias).as_sql()
        places = {one.name: one.field for one in params if type(one) is _Place}
        columns = [f"{name} {field.db_type(connection)}" for name, field in places.items()]
        statement = _Statement(sql, params, _as_column)
        statement.sql = (
            f"SELECT given.number, found.* FROM json_to_recordset(%s) "
            f"AS given(number int, {', '.join(columns)}), LATERAL ({statement.sql}) found"
        )
        return statement, {name: Column(field) for name, field in places.items()}


class Values(Query[Any]):
    """A queryset of values (`values_list`), whose rows are tuples."""

    _of_model = False


def _reader(compiler: Any, *, of_model: bool = True) -> Callable[[Sequence[Any]], Any]:
    """Return a function that turns a row of this compiled query into its model, or into its values,
    as a queryset does."""
    make = _maker(compiler, compiler.klass_info) if of_model else tuple
    annotated = list(compiler.annotation_col_map.items()) if of_model else ()
    converters = list(compiler.get_converters([one[0] for one in compiler.select]).items())

    def read(row: Sequence[Any]) -> Any:
        values = list(row)
        for index, (converts, expression) in converters:
            for convert in converts:
                values[index] = convert(values[index], expression, connection)
        one = make(values)
        for name, index in annotated:
            setattr(one, name, values[index])
        return one

    return read


def _maker(compiler: Any, found: dict[str, Any]) -> Callable[[Sequence[Any]], Any]:
    """Return a function that makes a model, with its joined models, from a row's values; None where
    nothing was joined."""
    model, at = found["model"], found["select_fields"]
    names = [compiler.select[index][0].target.attname for index in at]
    key = at[names.index(model._meta.pk.attname)]
    joined = [
        (one["local_setter"], one["remote_setter"], _maker(compiler, one))
        for one in found.get("related_klass_infos", ())
    ]

    def make(row: Sequence[Any]) -> Any:
        if row[key] is None:
            return None
        one = loaded(model, zip(names, [row[index] for index in at], strict=True))
        for knows, is_known, other in joined:
            knows(one, joins := other(row))
            if joins is not None:
                is_known(joins, one)
        return one

    return make


def loaded(model: type[M], values: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> M:
    """Return a row as it was read, with these values by the names of their columns.

    It does what `from_db` does, but without setting each field. A phase reads 40 rows, and setting
    their fields took a third of the time of their statements.
    """
    one = model.__new__(model)
    one._state = ModelState()
    one._state.adding, one._state.db = False, DEFAULT_DB_ALIAS
    vars(one).update(values)
    return one


class Update:
    """An UPDATE that differs only in its values (see `Query`).

    `returning` names the column that `all` and `first` return for the rows written, or several
    columns for `rows`. `WholeUpdate` returns the rows themselves.
    """

    def __init__(
        self,
        build: Callable[[], models.QuerySet[Any]],
        returning: str | Sequence[str] = (),
        **columns: Any,
    ) -> None:
        self._build, self._columns, self._named = build, columns, returning

    def run(self, **given: Any) -> int:
        """Write the columns; return in how many rows."""
        return written(self._ready.sql, self._ready.values(given))

    def all(self, **given: Any) -> list[Any]:
        """Write the columns; return one column of each row."""
        return [value for (value,) in self.rows(**given)]

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """Write the columns; return those that `returning` names, for each row."""
        return fetched(self._ready.sql, self._ready.values(given))

    def first(self, **given: Any) -> Any:
        """Write the columns; return one column of the first row, None if there is no row."""
        return next(iter(self.all(**given)), None)

    @cached_property
    def _returning(self) -> list[str]:
        return [self._named] if isinstance(self._named, str) else list(self._named)

    @cached_property
    def _ready(self) -> _Statement:
        query: Any = self._build().query.chain(UpdateQuery)
        query.add_update_values(self._columns)
        # Django builds a locking statement only in a transaction; a single UPDATE is a transaction
        # by itself.
        with transaction.atomic(savepoint=False):
            sql, params = query.get_compiler(using=connection.alias).as_sql()
        if self._returning:
            sql += f" RETURNING {', '.join(map(connection.ops.quote_name, self._returning))}"
        return _Statement(sql, params, _as_sql)


class WholeUpdate(Update):
    """An UPDATE whose rows are read as they stand after it."""

    def whole(self, **given: Any) -> list[Any]:
        """Write the columns; return the whole rows."""
        return [self._row(values) for values in self.rows(**given)]

    @cached_property
    def _returning(self) -> list[str]:
        return [one.column for one in self._build().model._meta.concrete_fields]

    @cached_property
    def _row(self) -> Callable[[Sequence[Any]], Any]:
        # Its columns come in the order in which a row is read.
        query = self._build().model._base_manager.all().query
        compiler: Any = query.get_compiler(using=connection.alias)
        compiler.pre_sql_setup()
        return _reader(compiler)
