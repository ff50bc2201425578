"""Rows of data in one test: the world is made once, and undone to that point after each row.

To set up, collect, give out and report a test of its own takes longer than most rows need, and
every process of a run collects all tests. A failure names each row that fails; `ROWS=word` runs
those rows whose names hold it.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import wraps
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Model

from mailer.outbound import pace
from tests.cast import Cast

Test = Callable[..., None]
Ids = Sequence[str] | Callable[[Any], object]
Named = type(pytest.param())

WIDTH = 60
"""A value in a row's name is cut here: some are whole mails."""


class Rows:
    """Runs rows one after another and says at the end which have failed."""

    def __init__(self) -> None:
        self._ran = 0
        self._failed: dict[str, BaseException] = {}

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._failed:
            [first, *others] = failures = list(self._failed.values())
            if not others:
                raise first
            told = f"{len(failures)} of {self._ran} rows fail: {'; '.join(self._failed)}"
            raise BaseExceptionGroup(told, failures)

    def run(self, name: str, row: Callable[[], object]) -> None:
        """Run one row, and undo what it did to the database."""
        if os.environ.get("ROWS", "") not in name:
            return
        self._ran += 1
        try:
            with undone():
                row()
        except (Exception, pytest.fail.Exception) as failure:
            failure.add_note(f"This is the row {name}")
            self._failed[name] = failure


@contextmanager
def undone() -> Iterator[None]:
    """Undo what happens in here, at a test that does not commit; as at the end of each test, what
    refers to rows that are not there fails."""
    pace.forget()
    if not connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        yield
        connection.check_constraints()
        transaction.set_rollback(True)


def each_row(
    names: str | tuple[str, ...], rows: Iterable[Any], *, ids: Ids = str
) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, in one test: what its fixtures make is made once.

    For tests that do not commit, and set nothing but the same in each row.
    """
    parts = tuple(names.replace(" ", "").split(",")) if isinstance(names, str) else names
    cases = [_case(row, len(parts), number, ids) for number, row in enumerate(rows)]
    assert cases, "a table without rows proves nothing"

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)

        @wraps(test)
        def of_rows(**fixtures: Any) -> None:
            with Rows() as each:
                for name, values in cases:
                    own = {key: _own(value) for key, value in fixtures.items()}
                    own |= dict(zip(parts, values, strict=True))
                    each.run(name, lambda own=own: test(**own))  # type: ignore[misc]

        kept = [one for name, one in signature.parameters.items() if name not in parts]
        # pytest looks here for the fixtures.
        of_rows.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return of_rows

    return decorate


def _case(row: Any, width: int, number: int, ids: Ids) -> tuple[str, tuple[Any, ...]]:
    """A row's name and its values."""
    known = isinstance(row, Named)
    values = tuple(row.values) if known else (row,) if width == 1 else tuple(row)
    if known and row.id:
        return row.id, values
    words = [str(ids(one)) for one in values] if callable(ids) else [ids[number]]
    return "-".join(" ".join(word.split())[:WIDTH] for word in words), values


def _own(made: Any) -> Any:
    """A row's own copy of what a fixture has read: the row may change it, and is undone."""
    return deepcopy(made) if isinstance(made, Cast | Model) else made
