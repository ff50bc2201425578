"""Rows that many tests begin with: the services make them once, later tests get them back.

Putting rows back is one round trip to PostgreSQL and takes a hundredth of the time that making them
takes.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import AutoField, Model

from tests.kept import KEPT, past_all_wrappers
from tests.migrated import shared

T = TypeVar("T")
Statement = tuple[str, Any]
"""SQL and its parameters, None for none."""
Tables = list[tuple[type[Model], list[Any]]]
"""Tables and their rows, none of them empty."""


def made_once(what: str, make: Callable[[], T]) -> T:
    """Fill the tables, which are empty, by `make`; in later tests put the same rows back.

    The services do the work once for each `what`, in one of the processes of a run, as a rule. Read
    from the database what `make` has made; what no table keeps it may return.
    """
    if was_made(what):
        _MADE[what].put_back(what)
        return cast(T, _MADE[what].returned)
    returned = make()
    tables = [(model, list(model._default_manager.all())) for model in models()]
    _MADE[what] = MadeRows([(model, rows) for model, rows in tables if rows], returned)
    _tell_others(what)
    return returned


def was_made(what: str) -> bool:
    """Whether it was made before, in this process or another one of this run."""
    return what in _MADE or _made_elsewhere(what)


def keys_of(what: str, model: type[Model]) -> list[Any]:
    """The keys of the rows of one table that were made."""
    return [row.pk for of, rows in _MADE[what].tables if of is model for row in rows]


def _made_elsewhere(what: str) -> bool:
    """Whether another process of this run has made it, whose rows are taken over then."""
    if (path := _shared_file(what)) is None or not path.exists():
        return False
    tables, returned = pickle.loads(path.read_bytes())
    _MADE[what] = MadeRows([(apps.get_model(label), rows) for label, rows in tables], returned)
    return True


def _tell_others(what: str) -> None:
    if (path := _shared_file(what)) is None:
        return
    rows = [(model._meta.label, rows) for model, rows in _MADE[what].tables]
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(pickle.dumps((rows, _MADE[what].returned)))
    unfinished.rename(path)


def _shared_file(what: str) -> Path | None:
    """Where the processes of this run keep the rows; None where there is one process."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    name = hashlib.sha256(f"{connection.vendor} {what}".encode()).hexdigest()
    return shared() / f"made-{name}.pickle"


@dataclass
class MadeRows:
    """What one `make` has made: the rows of each table that it filled, and what it returned."""

    tables: Tables
    returned: object
    statements: list[Statement] = field(default_factory=list)
    """What put them back the first time, to be sent again as it is."""

    def put_back(self, what: str) -> None:
        """Fill the tables again, and let the database count on behind the keys."""
        if not self.statements:
            sent: list[Statement] = []
            with transaction.atomic(), connection.execute_wrapper(_noting(sent)):
                for model, rows in self.tables:
                    model._default_manager.bulk_create(rows)
                _count_on(self.tables)
            self.statements = _in_one(sent)
        elif KEPT.untouched:
            [(sql, _)] = self.statements
            KEPT.begin_with(what, str(sql), _counting_on(self.tables))
        else:
            with transaction.atomic(), past_all_wrappers() as cursor:
                for sql, parameters in self.statements:
                    cursor.execute(sql, parameters)


def _noting(sent: list[Statement]) -> Callable[..., Any]:
    def note(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        sent.append((sql, parameters))
        return execute(sql, parameters, many, context)

    return note


def _in_one(statements: list[Statement]) -> list[Statement]:
    """Write the values into the statements where the database takes many of them as one."""
    if connection.vendor != "postgresql":
        return statements
    with past_all_wrappers() as cursor:
        texts = [cursor.mogrify(sql, parameters) for sql, parameters in statements]
    if "TESTS_OWN_POSTGRES" in os.environ:  # only a superuser may
        texts = [_FOLLOWS.format("replica"), *texts, _FOLLOWS.format("origin")]
    return [(";\n".join(texts), None)]


_FOLLOWS = "SET LOCAL session_replication_role = {}"
"""As a replica PostgreSQL does not look again whether the rows refer to rows that are there. It did
when they were made, and to do it in each test took a fifth to a third of the time of putting them
back."""


def _count_on(tables: Tables) -> None:
    """Let the database give out keys behind those of the rows put back: PostgreSQL counts them by
    itself, and a test that commits may have set its counters to the beginning."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_counting_on(tables))


def _counting_on(tables: Tables) -> str:
    counters = [
        f"setval(pg_get_serial_sequence('\"{model._meta.db_table}\"', '{key.column}'), {last})"
        for model, rows in tables
        if isinstance(key := model._meta.pk, AutoField) and (last := max(row.pk for row in rows))
    ]
    return "SELECT " + ", ".join(counters)


def models() -> Iterator[type[Model]]:
    yield User
    yield User.groups.through
    for app in ("games", "mailer"):
        yield from apps.get_app_config(app).get_models(include_auto_created=True)


_MADE: dict[str, MadeRows] = {}
"""What was made in this process, by its name."""
