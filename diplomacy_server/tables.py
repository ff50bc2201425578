"""Whether a database has the tables of this release."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.checks import CheckMessage, Warning
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from games.queries.reports.wording import counted


def migrations_to_run(database: BaseDatabaseWrapper) -> int:
    """Count the migrations that `manage.py migrate` would still run. Raises DatabaseError."""
    executor = MigrationExecutor(database)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def tables_are_todays(*, databases: Iterable[str] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn about migrations that have not been run.

    It is not an error, since a server may start in the middle of an upgrade. Only `manage.py check`
    asks: a tick has no time for it.
    """
    return [
        Warning(
            f"{counted(left, 'migration')} still to be run: what needs the new tables fails.",
            hint="Run `manage.py migrate`.",
            id="diplomacy.W010",
        )
        for alias in databases or ()
        if (left := migrations_to_run(connections[alias]))
    ]
