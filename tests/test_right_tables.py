"""A database is refused that is away, of another release, or cannot keep what people write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from runpy import run_path

import psycopg
import pytest
from celery import signals
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

import manage
from diplomacy_server.celery import begin_with_the_right_tables
from diplomacy_server.tables import tables_are_todays
from mailer.workers.right_tables import newest_migrations
from tests.flows.server import database_url
from tests.migrated import server_of
from tests.starting import ROOT, started


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="it has no other encoding")
def test_a_database_that_cannot_keep_what_people_write_is_refused(tmp_path: Path) -> None:
    name = f"{connection.settings_dict['NAME']}_ascii"
    with psycopg.connect(server_of(connection), autocommit=True) as server:
        server.execute(f'drop database if exists "{name}"')
        server.execute(
            f"create database \"{name}\" encoding 'SQL_ASCII' locale 'C' template template0"
        )
        try:
            url = f"{database_url().rpartition('/')[0]}/{name}"
            code, said = started(["check"], tmp_path, DATABASE_URL=url)
        finally:
            server.execute(f'drop database "{name}"')
    assert code == 1
    assert "keeps text as SQL_ASCII, not as UTF8" in said
    assert "createdb -O USER -E UTF8" in said
    assert "no issues" not in said


@pytest.mark.parametrize(
    "statement",
    [
        "select * from no_such_table",
        "select no_such_column from games_game",
        "insert into games_game (no_such_column) values (1)",
    ],
)
def test_tables_of_another_release_are_told_from_a_database_that_is_away(statement: str) -> None:
    with (
        pytest.raises(DatabaseError) as error,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert manage.of_another_release(error.value)


def test_tables_of_another_release_are_named_in_one_sentence(tmp_path: Path) -> None:
    code, said = started(["status"], tmp_path)
    assert code == 1
    assert "does not have the tables of this release. Run `manage.py migrate`." in said
    assert "Traceback" not in said


def test_the_newest_migrations_are_those_on_which_no_other_depends() -> None:
    assert newest_migrations() == set(MigrationLoader(None).graph.leaf_nodes())


def worker_begins() -> None:
    """What Celery calls before a worker forks its processes."""
    begin = begin_with_the_right_tables
    assert begin in [receiver() for _, receiver in signals.worker_init.receivers]
    begin()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "start",
    [
        lambda: call_command("tick"),
        lambda: call_command("poll_mail", "--once"),
        worker_begins,
        lambda: run_path(str(ROOT / "diplomacy_server/wsgi.py")),
    ],
    ids=["tick", "poller", "worker", "web"],
)
def test_no_service_starts_on_tables_that_an_upgrade_left_half_done(
    start: Callable[[], object],
) -> None:
    """A power cut during `migrate` is enough: then all of them start with the machine."""
    newest = dict(newest_migrations())["mailer"]
    MigrationRecorder.Migration.objects.get(app="mailer", name=newest).delete()
    with pytest.raises(SystemExit) as said:
        start()
    assert "does not have the tables of this release. Run `manage.py migrate`." in str(said.value)


def test_migrations_that_were_not_run_are_a_warning_that_stops_nothing(tmp_path: Path) -> None:
    code, said = started(["check"], tmp_path)
    assert code == 0
    assert "migrations still to be run" in said
    assert "HINT: Run `manage.py migrate`." in said
    assert "no issues" not in said


@pytest.mark.django_db
@pytest.mark.on_both
def test_tables_of_this_release_and_of_a_later_one_are_no_finding() -> None:
    MigrationRecorder(connection).record_applied("games", "9999_of_a_later_release")
    assert tables_are_todays(databases=["default"]) == []


def test_migrating_does_not_warn_of_what_it_is_about_to_do(tmp_path: Path) -> None:
    code, said = started(["migrate", "contenttypes"], tmp_path)
    assert code == 0
    assert "still to be run" not in said


@pytest.mark.parametrize("command", ["check", "tick"])
def test_an_unreachable_database_is_named_in_one_sentence(command: str, tmp_path: Path) -> None:
    url = "postgres://judge:open-sesame@127.0.0.1:1/games"
    code, said = started([command], tmp_path, DATABASE_URL=url)
    assert code == 1
    assert "The database cannot be reached" in said
    assert "no issues" not in said
    assert "Traceback" not in said
    assert "open-sesame" not in said


def test_sqlite_keeps_every_commit_through_a_power_cut(tmp_path: Path) -> None:
    """2 is FULL (sqlite.org/pragma.html#pragma_synchronous)."""
    asked = (
        "from django.db import connection as c; k = c.cursor();"
        "k.execute('PRAGMA synchronous'); print(k.fetchone());"
        "k.execute('PRAGMA journal_mode'); print(k.fetchone())"
    )
    code, said = started(["shell", "-v", "0", "-c", asked], tmp_path)
    assert (code, said.split()) == (0, ["(2,)", "('wal',)"])
