"""What PostgreSQL has prepared is sent without a cursor, and nobody notices."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.db.transaction import TransactionManagementError

from games.models.cursors import fetched, written
from tests.test_connections import end

pytestmark = [pytest.mark.only_on("PostgreSQL"), pytest.mark.django_db(transaction=True)]

ASKED = "SELECT name FROM pieces WHERE number = %s"
ADDED = "INSERT INTO pieces (number, name) VALUES (%s, %s)"
OFTEN = range(5)


@pytest.fixture(autouse=True)
def pieces() -> Iterator[None]:
    """A table, and both statements prepared on a connection of their own."""
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE pieces (number bigint UNIQUE, name varchar(9))")
    for number in OFTEN:
        assert written(ADDED, [number, "Par"]) == 1
        assert fetched(ASKED, [number]) == [("Par",)]
    yield
    connection.close()


def prepared() -> list[str]:
    """What the database has prepared of the statements about pieces."""
    found = fetched("SELECT statement FROM pg_prepared_statements", [])
    return sorted(statement for (statement,) in found if "pieces" in statement)


def test_it_goes_without_a_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psycopg.Cursor, "execute", None)
    assert fetched(ASKED, [1]) == [("Par",)]
    assert fetched(ASKED, [77]) == []
    assert written(ADDED, [78, "Mar"]) == 1


def test_numbers_of_every_size_share_what_is_prepared() -> None:
    for number in (2**15, 2**31, 2**62, -(2**63)):
        assert [fetched(ASKED, [number]) for _ in OFTEN] == [[] for _ in OFTEN]
    for number in (2**63, 10**30):
        assert fetched(ASKED, [number]) == []
    assert prepared() == [
        "INSERT INTO pieces (number, name) VALUES ($1, $2)",
        "SELECT name FROM pieces WHERE number = $1",
    ]


ERRORS: list[tuple[type[DatabaseError], list[Any]]] = [
    (IntegrityError, [1, "Par"]),
    (DataError, [90, "Constantinople"]),
    (DataError, [91, "\0"]),
]


def test_errors_are_those_of_django_and_a_transaction_that_breaks_takes_nothing_more() -> None:
    for error, values in ERRORS:
        with pytest.raises(error):
            written(ADDED, values)
        with transaction.atomic():
            with pytest.raises(error), transaction.atomic():
                written(ADDED, values)
            assert fetched(ASKED, [1]) == [("Par",)]
            with pytest.raises(error), transaction.atomic(savepoint=False):
                written(ADDED, values)
            with pytest.raises(TransactionManagementError):
                fetched(ASKED, [1])
            transaction.set_rollback(True)


def test_what_it_writes_is_in_the_transaction() -> None:
    with transaction.atomic():
        written(ADDED, [92, "Par"])
        transaction.set_rollback(True)
    assert fetched(ASKED, [92]) == []


def test_a_connection_that_was_lost_raises_and_another_takes_its_place() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ((pid,),) = cursor.fetchall()
    end(pid)
    with pytest.raises((OperationalError, InterfaceError)):
        fetched(ASKED, [1])
    connection.close()
    assert fetched("SELECT %s + 1", [1]) == [(2,)]


def test_a_statement_that_waits_can_be_interrupted() -> None:
    def comes(*_: object) -> None:
        raise KeyboardInterrupt

    slept = "SELECT pg_sleep(%s)"
    for _ in OFTEN:
        fetched(slept, [0])
    before = signal.signal(signal.SIGALRM, comes)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            fetched(slept, [60])
    finally:
        signal.signal(signal.SIGALRM, before)
    assert fetched(ASKED, [1]) == [("Par",)]
