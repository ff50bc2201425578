"""Writes the columns of a table once, for all statements that read whole rows.

Whenever Django builds a statement, it asks each column of each table for its SQL, and for what
turns its values into Python's. A game has 57 columns: they took two thirds of the time of building
the statement that reads one, and as long as PostgreSQL takes to answer it.

A column's SQL depends on nothing but the name by which the statement knows the table. Everything
else about a statement is built as ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db.backends.postgresql import compiler as given
from django.db.backends.postgresql.compiler import (
    SQLAggregateCompiler,
    SQLDeleteCompiler,
    SQLInsertCompiler,
    SQLUpdateCompiler,
)
from django.db.models.expressions import Col

if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper

__all__ = [
    "SQLAggregateCompiler",
    "SQLCompiler",
    "SQLDeleteCompiler",
    "SQLInsertCompiler",
    "SQLUpdateCompiler",
]


class SQLCompiler(given.SQLCompiler):
    """Builds statements as Django's own does, but remembers the columns of whole tables."""

    def get_select(self, with_col_aliases: Any = False) -> Any:
        """Return a statement's columns with their SQL, and how to convert their values. If they are
        one whole table and nothing else, put them together only once."""
        query: Any = self.query
        more = (query.select_related, query.annotation_select, query.extra_select)
        opts = query.get_meta()
        whole = query.default_cols and query.selected is None and not query.get_select_mask()
        if with_col_aliases or not whole or any(more) or not opts:
            return super().get_select(with_col_aliases)
        if opts.proxy or opts.parents:
            return super().get_select(with_col_aliases)
        name = self.quote_name_unless_alias(query.get_initial_alias())
        cached = vars(opts).setdefault("cached_select", {})
        if name not in cached:
            cached[name] = super().get_select()
        columns, of_model, named = cached[name]
        return list(columns), dict(of_model), dict(named)

    def get_default_columns(
        self, select_mask: Any, start_alias: Any = None, opts: Any = None, from_parent: Any = None
    ) -> list[Any]:
        """Return the columns of a table, under the name that it has in this statement."""
        opts = opts or self.query.get_meta()
        if select_mask or from_parent or not opts or opts.proxy or opts.parents:
            return super().get_default_columns(select_mask, start_alias, opts, from_parent)
        alias = start_alias or self.query.get_initial_alias()
        name = self.quote_name_unless_alias(alias)
        # Kept with the model, to go when it goes: migrations make hundreds.
        cached = vars(opts).setdefault("cached_columns", {})
        if name not in cached:
            columns = super().get_default_columns(select_mask, alias, opts, from_parent)
            cached[name] = [self._write_once(one) for one in columns]
        return list(cached[name])

    def _write_once(self, column: Any) -> Any:
        """Write a copy of the column that only this compiler uses, so that no other statement gets
        it."""
        own: Any = Col(column.alias, column.target)
        sql, _ = super().compile(own)
        vars(own).update(cached_sql=sql, cached_plain=not super().get_converters([own]))
        return own

    def compile(self, node: Any) -> tuple[str, Any]:
        """Return the SQL of an expression, and its values."""
        if type(node) is Col and (sql := vars(node).get("cached_sql")):
            return sql, []
        return super().compile(node)

    def get_converters(self, expressions: Iterable[Any]) -> dict[int, Any]:
        """Return how to convert the values of these expressions, by their place."""
        known: list[Any] = [None if _is_plain(one) else one for one in expressions]
        return super().get_converters(known)


def _is_plain(expression: Any) -> bool:
    """Say whether we found before that the driver's value is Python's already."""
    return type(expression) is Col and vars(expression).get("cached_plain", False)


def cache_columns(database: DatabaseWrapper) -> None:
    """Make a new connection build its statements this way."""
    operations: Any = database.ops
    operations.compiler_module = __name__
    operations._cache = None  # it may have built one before
