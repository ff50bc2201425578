"""Telling a database that fails from a program that does."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import InterfaceError, OperationalError


def is_of_the_database(error: BaseException) -> bool:
    """Say whether it is the database that failed (it is away, full, or saw a deadlock), and not the
    program over a mail or a phase."""
    return any(isinstance(one, (OperationalError, InterfaceError)) for one in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
