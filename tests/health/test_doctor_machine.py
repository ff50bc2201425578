"""The doctor looks at the machine: its settings, disk, database and broker."""

from __future__ import annotations

import ctypes
import datetime as dt
import re
import shutil
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
import redis
import time_machine
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler
from django.utils import timezone
from pytest_django import Settings

from diplomacy_server.doctor import machine
from diplomacy_server.doctor.lines import Level
from diplomacy_server.key_check import FINDING, key_is_the_databases
from diplomacy_server.row_numbers import last_number
from mailer.models import Mailbox, ReplyToken
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.health.doctor import dead_port, levels, said
from tests.servers import Redis


@pytest.mark.django_db
@pytest.mark.on_both
def test_a_database_in_order_has_todays_tables() -> None:
    found = said(machine.look_at_database())
    assert "answers." in found
    assert "Its tables are those of this release." in found


@pytest.mark.only_on("PostgreSQL")
def test_a_database_that_is_away_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    away = {**connection.settings_dict, "PORT": dead_port(), "PASSWORD": "open-sesame"}
    monkeypatch.setattr(machine, "connection", ConnectionHandler({"default": away})["default"])
    (line,) = machine.look_at_database()
    assert line.level is Level.MEND
    assert "cannot be reached" in line.says
    assert "DATABASE_URL" in line.advice
    assert "open-sesame" not in str(line)


@pytest.mark.django_db
@pytest.mark.on_both
def test_a_database_that_takes_nothing_is_named_though_it_answers() -> None:
    assert "It takes what we write." in said(machine.look_at_database(), Level.OK)
    assert "doctor_tries" not in connection.introspection.table_names()
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        read_only = "PRAGMA query_only = ON" if sqlite else "SET LOCAL transaction_read_only = on"
        cursor.execute(read_only)
        found = said(machine.look_at_database(), Level.MEND)
        if sqlite:
            cursor.execute("PRAGMA query_only = OFF")
    assert "It takes nothing that we write: " in found
    assert "Make room where it keeps its files" in found


@pytest.mark.django_db
def test_a_migration_that_was_not_run_is_counted() -> None:
    MigrationRecorder.Migration.objects.filter(app="mailer").latest("name").delete()
    with connection.cursor() as cursor:
        cursor.execute("drop table django_admin_log")
    found = said(machine.look_at_database(), Level.MEND)
    assert "1 migration still to be run." in found
    assert "manage.py migrate" in found
    assert "cannot be reached" not in found


@pytest.mark.django_db
@pytest.mark.only_on("PostgreSQL")
def test_a_database_that_numbers_rows_anew_is_named() -> None:
    """As a replica does that took over."""
    Mailbox.objects.bulk_create([Mailbox(pk=10**6, url="imap://judge@127.0.0.1/INBOX")])
    ContentType.objects.bulk_create([ContentType(pk=10**6, app_label="x", model="y")])
    done = MigrationRecorder.Migration
    done.objects.bulk_create([done(pk=10**6, app="games", name="9999_of_a_later_release")])
    found = said(machine.look_at_database(), Level.MEND)
    taken = re.search(r"New rows would get numbers that are taken: (.*)\.", found)
    assert taken, found
    assert {*taken[1].split(", ")} == {
        *("django_content_type", "django_migrations", "mailer_mailbox")
    }
    assert "(manage.py sqlsequencereset contenttypes mailer; echo " in found
    numbered_on = re.search(r'echo "(SELECT .*;)"\) \| sudo', found)
    assert numbered_on
    with connection.cursor() as cursor:
        cursor.execute(numbered_on[1])
    assert last_number(connection, done) == 10**6


@pytest.mark.django_db
@pytest.mark.only_on("PostgreSQL")
def test_a_database_with_another_clock_or_without_a_promise_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
    with time_machine.travel(timezone.now() - dt.timedelta(seconds=60)):
        found = said(machine.look_at_database(), Level.MEND)
    assert "synchronous_commit is off: what was answered may be lost" in found
    assert re.search(r"Its clock and ours are 6\d s apart\.", found)


@pytest.mark.django_db
def test_another_secret_key_than_the_databases_is_named(marne: Cast, settings: Settings) -> None:
    """Until the addresses of the old one are revoked, as whoever changes it on purpose does."""
    addresses.seat_address(seat=marne.seat("France"), phase=marne.phase, now=NOW)
    assert FINDING not in said(machine.look_at_database())
    settings.SECRET_KEY = "of another server" * 3
    addresses.player_address(address=marne.seat("France").player.addresses.get(), now=NOW)
    assert FINDING in said(machine.look_at_database(), Level.MEND)
    assert [one.msg for one in key_is_the_databases(databases=["default"])] == [FINDING]
    ReplyToken.objects.filter(seat__isnull=False).update(revoked_at=NOW)
    assert FINDING not in said(machine.look_at_database())
    assert key_is_the_databases(databases=["default"]) == []


def test_a_broker_that_answers_is_well(redis_server: Redis, settings: Settings) -> None:
    settings.CELERY_BROKER_URL = redis_server.url
    assert levels(machine.look_at_broker()) == {Level.OK}


def test_a_broker_that_takes_nothing_is_named_though_it_answers(
    redis_server: Redis, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = redis_server.url
    with redis.Redis.from_url(redis_server.url) as client:
        client.config_set("maxmemory", "1")
        (line,) = machine.look_at_broker()
        client.config_set("maxmemory", "0")
    assert line.level is Level.MEND
    assert "It does not take our tasks: command not allowed when used memory" in line.says


def test_a_broker_that_is_away_is_named_with_what_to_do(settings: Settings) -> None:
    settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{dead_port()}/0"
    (line,) = machine.look_at_broker()
    assert line.level is Level.MEND
    assert "--cron" in line.advice


def test_a_broker_that_hangs_is_named_as_soon_as_our_patience_ends(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.CELERY_BROKER_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        (line,) = machine.look_at_broker()
    assert line.level is Level.MEND
    assert "It does not take our tasks: Timeout" in line.says


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
@pytest.mark.parametrize(
    ("free", "level", "said"),
    [
        (50, Level.MEND, "0.0 GB"),
        (500 * 1024**2, Level.LOOK, "0.5 GB"),
        (9 * 1024**3, Level.OK, "9"),
    ],
)
def test_of_every_disk_that_we_write_to_it_is_said_how_full_it_is(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    vendor: str,
    free: int,
    level: Level,
    said: str,
) -> None:
    monkeypatch.setattr(connection, "vendor", vendor)
    monkeypatch.setattr(machine, "DEBIANS_POSTGRESQL", tmp_path)
    here = {"HOST": "127.0.0.1", "NAME": str(tmp_path / "server.sqlite3")}
    for name, value in here.items():
        monkeypatch.setitem(connection.settings_dict, name, value)
    with_room = shutil.disk_usage(tmp_path)._replace(free=9 * 1024**3)
    full = {tmp_path: with_room._replace(free=free)}
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: full.get(folder, with_room))
    lines = [line for line in machine.look_at_disk() if str(tmp_path) in line.says]
    assert [line.level for line in lines] == [level]
    assert said in lines[0].says


@pytest.mark.parametrize(
    ("state", "level"),
    [(0, Level.OK), (4, Level.OK), (5, Level.LOOK), (-1, None)],  # adjtimex(2)
)
def test_a_clock_that_nothing_keeps_right_is_named(
    monkeypatch: pytest.MonkeyPatch, state: int, level: Level | None
) -> None:
    libc = SimpleNamespace(adjtimex=lambda timex: state)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: libc)
    assert levels(machine.look_at_clock()) == ({level} if level else set())


def test_a_folder_that_is_not_there_is_named(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "nowhere"
    found = said(machine.look_at_disk(), Level.MEND)
    assert f"{settings.VAR_DIR} cannot be used: No such file or directory." in found


def test_what_check_says_is_among_the_lines(settings: Settings) -> None:
    settings.JUDGE_ADDRESS = "judge"
    found = said(machine.look_at_settings(), Level.MEND)
    assert "JUDGE_ADDRESS is not a plain mail address" in found


@pytest.mark.parametrize("is_small", [True, False])
def test_whether_the_machine_counts_as_small_is_said(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, *, is_small: bool
) -> None:
    settings.SMALL_MACHINE = is_small
    monkeypatch.setattr(machine, "number_of_cores", lambda: 1)
    monkeypatch.setattr(machine, "memory", lambda: 987_000_000)
    found = said(machine.look_at_settings(), Level.OK)
    assert ("SMALL_MACHINE is on; this machine has 1 core and 0.9 GB" in found) is is_small
