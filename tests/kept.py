"""What a test has begun with stays in the database for the next one that begins with the same.

A test that does not commit works in a transaction that is undone. On PostgreSQL there is a second
one around it, in which the rows stand that `made_once` (tests/made.py) put back first: the end of
the test goes back to them. If the next test begins with something else, or with nothing, the outer
transaction is undone before its first statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.test import TestCase
from pytest_django import DjangoDbBlocker


class KeptTransaction:
    """The transaction around the tests of one process, and what stands in it."""

    def __init__(self) -> None:
        self._around: transaction.Atomic | None = None
        self._what = ""
        self._where = ""
        self._blocker: DjangoDbBlocker | None = None
        self.untouched = False
        """Whether the test that runs has asked the database nothing yet, so that as far as it can
        know its tables are as the migrations left them."""

    def open(self) -> None:
        """Begin the outer transaction, unless it goes on."""
        if self._around and (connection.needs_rollback or _is_cut_off()):
            self.close()
        if not self._around:
            self._around = transaction.atomic()
            # Django refuses a `durable` block within any transaction but one of its test cases.
            self._around._from_testcase = True  # type: ignore[attr-defined]
            self._around.__enter__()

    def close(self) -> None:
        """Undo the outer transaction: what comes next is to find the database as usual."""
        if self._around:
            connection.needs_rollback = True
            self._around.__exit__(None, None, None)
        self._around, self._what = None, ""

    def go_on(self, where: str) -> None:
        """Keep for the next test what the last one began with only if both are in the same place;
        there is none for a test that commits, or knows no database."""
        if self._blocker and where != self._where:
            with self._blocker.unblock():
                self.close()
        self._where = where

    def begin_test(self) -> None:
        """The test's own transaction has begun within; see when it asks something."""
        self.untouched = True
        connection.execute_wrappers.append(self._touch)

    def end_test(self) -> None:
        """The test asks no more."""
        if self.untouched:
            connection.execute_wrappers.remove(self._touch)
        self.untouched = False

    def begin_with(self, what: str, rows: str, counters: str) -> None:
        """Have these rows, which are called `what`, in the tables, and the counters of their keys
        set: both are SQL."""
        self.end_test()
        if self._what == what:
            _send(counters)
        else:
            self._put(f"{rows};")
            self._what = what

    def _touch(self, execute: Any, sql: str, *given: Any) -> Any:
        """Before its first statement let the test find empty tables."""
        self.end_test()
        if self._what:
            self._put("")
            self._what = ""
        return execute(sql, *given)

    def _put(self, rows: str) -> None:
        own = connection.savepoint_ids[0]  # a block without a savepoint may have begun within
        _send(f"ROLLBACK; BEGIN; {rows} SAVEPOINT {connection.ops.quote_name(own)}")


KEPT = KeptTransaction()


def _is_cut_off() -> bool:
    """Whether a test has ended the connection, and the outer transaction with it."""
    return connection.connection is None or bool(connection.connection.closed)


def _send(text: str) -> None:
    with past_all_wrappers() as cursor:
        cursor.execute(text)


@contextmanager
def past_all_wrappers() -> Iterator[Any]:
    """A cursor of the driver: those who look what a test sends do not see what it sends.

    PostgreSQL's writes the values into the text, so that one text can hold many statements.
    """
    connection.ensure_connection()
    if connection.vendor != "postgresql":
        # SQLite ends no savepoint while a cursor has rows that nobody has fetched.
        with closing(connection.create_cursor()) as cursor:
            yield cursor
        return
    with psycopg.ClientCursor(connection.connection) as cursor:
        yield cursor


@contextmanager
def keeping(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let the tests that do not commit run within the outer transaction, all others without it."""
    enter: Any = TestCase._enter_atomics.__func__  # type: ignore[attr-defined]
    undo: Any = TestCase._rollback_atomics.__func__  # type: ignore[attr-defined]

    def entered(case: type[TestCase]) -> Any:
        KEPT.open()
        blocks = enter(case)
        KEPT.begin_test()
        return blocks

    def undone(case: type[TestCase], blocks: Any) -> None:
        KEPT.end_test()
        undo(case, blocks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestCase, "_enter_atomics", classmethod(entered))
        patch.setattr(TestCase, "_rollback_atomics", classmethod(undone))
        KEPT._blocker = blocker
        yield
        KEPT.go_on("")
