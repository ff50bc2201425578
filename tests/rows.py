"""Rows of data in one test.

To collect, give out and report a test of its own takes pytest longer than the judge needs for most
rows, and every process of a run collects all tests.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]
Ids = Sequence[str] | Callable[[Any], object]
Named = type(pytest.param())


def rows(
    names: str | Sequence[str], table: Iterable[Any], *, ids: Ids = repr
) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, but all rows are one test.

    It goes through all of them whatever they do, and fails with the error of each row that fails;
    the first line names these rows. What they get as fixtures they share.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    named = dict(_named(row, len(wanted), number, ids) for number, row in enumerate(table))
    assert named, "a table without rows proves nothing"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def go_through(**fixtures: Any) -> None:
            broken: dict[str, BaseException] = {}
            for name, values in named.items():
                try:
                    test(**dict(zip(wanted, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in row {name}")
                    broken[name] = error
            if broken:
                told = f"{len(broken)} of {len(named)} rows fail: {'; '.join(broken)}"
                raise BaseExceptionGroup(told, list(broken.values()))

        signature = inspect.signature(test)
        left = [one for one in signature.parameters.values() if one.name not in wanted]
        # pytest looks here for the fixtures.
        go_through.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return go_through

    return decorate


def _named(row: Any, width: int, number: int, ids: Ids) -> tuple[str, tuple[Any, ...]]:
    """What a row is called, and its values."""
    if isinstance(row, Named):
        return f"{number} {row.id}", tuple(row.values)
    values = (row,) if width == 1 else tuple(row)
    name = "-".join(str(ids(one)) for one in values) if callable(ids) else ids[number]
    return f"{number} {name}", values
