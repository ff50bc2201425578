"""What is prepared lasts through a savepoint that is undone, and not through a transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from psycopg._preparing import PrepareManager

from diplomacy_server.environment import database_config
from tests.test_connections import end

pytestmark = [pytest.mark.only_on("PostgreSQL"), pytest.mark.django_db(transaction=True)]

FORGETS = PrepareManager.clear


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A connection that has prepared nothing, and forgets as it does outside tests."""
    monkeypatch.setattr(PrepareManager, "clear", FORGETS)
    connection.close()
    yield
    connection.close()


def ask(times: int = 1) -> None:
    """Ask the same so often."""
    with connection.cursor() as cursor:
        for _ in range(times):
            cursor.execute("SELECT %s + 1", [1])
            assert cursor.fetchone() == (2,)


def prepared() -> set[str]:
    """The statements that the database has prepared for this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return {statement for (statement,) in cursor.fetchall()}


def undo() -> None:
    """Ask once, and go back to before."""
    with transaction.atomic():
        ask()
        transaction.set_rollback(True)


OURS = "SELECT $1 + 1"


def test_a_statement_is_prepared_after_it_came_three_times():
    ask(3)
    assert OURS not in prepared()
    ask()
    assert OURS in prepared()


def test_going_back_to_a_savepoint_keeps_it():
    with transaction.atomic():
        ask(4)
        undo()
        ask()
        assert OURS in prepared()
    assert OURS in prepared()


def test_a_statement_prepared_within_the_savepoint_is_kept_too():
    with transaction.atomic():
        ask(3)
        undo()
        assert OURS in prepared()
        ask()


def test_one_between_many_savepoints_is_prepared_too():
    with transaction.atomic():
        for _ in range(4):
            ask()
            for _ in range(55):
                with transaction.atomic():
                    pass
        assert OURS in prepared()


def test_savepoints_undo_and_keep_what_they_should():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE pieces (name varchar(3))")
        with transaction.atomic(), suppress(DatabaseError):
            with transaction.atomic():  # the first statement of its transaction
                cursor.execute("INSERT INTO pieces VALUES ('Par')")
            with transaction.atomic():
                cursor.execute("INSERT INTO pieces VALUES ('Mar')")
                cursor.execute("INSERT INTO pieces VALUES ('Marseilles')")
        cursor.execute("SELECT name FROM pieces")
        assert cursor.fetchall() == [("Par",)]


def test_a_savepoint_of_a_lost_connection_raises():
    with pytest.raises(OperationalError), transaction.atomic():  # noqa: PT012
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            ((pid,),) = cursor.fetchall()
        end(pid)
        with transaction.atomic():
            pass


def test_a_transaction_that_is_undone_forgets_it():
    ask(4)
    undo()
    ask()
    assert OURS not in prepared()


def test_a_table_that_is_changed_has_all_planned_anew():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE pieces (name varchar(3))")
        for _ in range(5):
            cursor.execute("SELECT name FROM pieces WHERE name <> %s", ["Par"])
        cursor.execute("ALTER TABLE pieces ALTER name TYPE varchar(30)")
        cursor.execute("SELECT name FROM pieces WHERE name <> %s", ["Par"])
        assert cursor.fetchall() == []


def test_behind_a_pool_nothing_is_prepared_not_even_what_writes_many_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """psycopg prepares that at once, however large the number."""
    asked = database_config("postgres://judge@pool/games?prepare_threshold=1000000")["OPTIONS"]
    options = {**connection.settings_dict["OPTIONS"], **asked}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE pieces (name varchar(3))")
        cursor.executemany("INSERT INTO pieces VALUES (%s)", [["Par"], ["Mar"]])
    assert prepared() == set()
