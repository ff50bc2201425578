"""Rows by the thousand: copies of a game that was played, made by the database itself.

Each copy has keys a step apart from those it is copied from, and refers to the copies of what these
refer to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeAlias

from django.db import models

Column: TypeAlias = "models.Field[Any, Any]"


def copies(
    model: type[models.Model],
    among: Collection[type[models.Model]],
    *,
    step: int,
    number: int,
    other: Callable[[Column], str | None] = lambda column: None,
) -> str:
    """Return SQL that copies all rows of a table so many times.

    `among` are all tables that are copied. `other` gives the SQL of a column that differs in copies
    in its own way: there `n` is the number of the copy.
    """
    columns = [field for field in model._meta.concrete_fields if not field.generated]
    names = ", ".join(f'"{one.column}"' for one in columns)
    values = ", ".join(other(one) or _value(one, among, step) for one in columns)
    table = model._meta.db_table
    return (
        f'INSERT INTO "{table}" ({names}) SELECT {values} '
        f'FROM "{table}" CROSS JOIN generate_series(1, {number}) AS n'
    )


def _value(field: Column, among: Collection[type[models.Model]], step: int) -> str:
    refers = field.remote_field is not None and field.remote_field.model in among
    return f'"{field.column}" + n * {step}' if field.primary_key or refers else f'"{field.column}"'
