"""Telling a database that fails from a program that does."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

READ_ONLY = "25006"
"""PostgreSQL's code (SQLSTATE) for a change that it takes from nobody."""


def is_of_the_database(error: BaseException) -> bool:
    """Say whether it is the database that failed (it is away, full, read-only, or saw a deadlock),
    and not the program over a mail or a phase."""
    return any(
        isinstance(one, (OperationalError, InterfaceError)) or is_read_only(one)
        for one in _causes(error)
    )


def is_read_only(error: BaseException) -> bool:
    """Say whether the database refused a change because it is read-only."""
    codes = (getattr(one, "sqlstate", None) for one in (error, error.__cause__))
    return READ_ONLY in codes


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
