"""This machine: the settings, the database, the broker."""

from __future__ import annotations

import ctypes
import datetime as dt
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.checks import ERROR, run_checks
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import AutoField, Max, Model
from django.utils import timezone

from diplomacy_server.doctor.lines import Level, Line, Teller, first_line
from diplomacy_server.health.room import FULL
from diplomacy_server.key_check import ADVICE, FINDING
from diplomacy_server.machine_size import memory
from diplomacy_server.row_numbers import last_number
from diplomacy_server.server_addresses import faces_the_world
from diplomacy_server.tables import migrations_to_run
from games.queries.reports.wording import counted
from mailer.cores import number_of_cores
from mailer.outbound.addresses import were_made_with_another_key
from mailer.workers.nudges import connection_to_broker

FREE = 1024**3
"""Bytes that should be free on the disk."""
DEBIANS_POSTGRESQL = Path("/var/lib/postgresql")
DRIFT = dt.timedelta(seconds=2)
PATIENCE = 5.0
"""How many seconds the broker may take to answer."""
UNKEPT, TIMEX_BYTES = 5, 512
"""What adjtimex(2) returns for a clock that nothing keeps right (TIME_ERROR), and more bytes than
its struct has."""


def look_at_settings() -> Iterator[Line]:
    """What `manage.py check` says."""
    tell = Teller("settings")
    found = run_checks()
    for message in found:
        line = tell.mend if message.level >= ERROR else tell.look
        yield line(str(message.msg), str(message.hint or ""))
    if not found:
        yield tell.ok("They make sense and are safe.")
    if settings.SMALL_MACHINE:
        about = f"{counted(number_of_cores(), 'core')} and {memory() / 1024**3:.1f} GB of memory"
        yield tell.ok(f"SMALL_MACHINE is on; this machine has {about}.")


def look_at_disk() -> Iterator[Line]:
    """A full disk stops the database, logs and pictures. The database's disk may be another than
    ours, or on another machine."""
    tell, folders = Teller("disk"), {Path(settings.VAR_DIR)}
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).parent)
    elif DEBIANS_POSTGRESQL.is_dir() and not faces_the_world(connection.settings_dict["HOST"]):
        folders.add(DEBIANS_POSTGRESQL)
    for folder in sorted(folders):
        try:
            free = shutil.disk_usage(folder).free
        except OSError as error:
            says = f"{folder} cannot be used: {error.strerror}."
            yield tell.mend(says, "Make that folder for the server's user, or see to VAR_DIR.")
            continue
        says = f"{free / 1024**3:.1f} GB free at {folder}."
        if free < FULL:
            yield tell.mend(says, "Make room: nothing more can be written.")
        else:
            yield tell.ok(says) if free > FREE else tell.look(says, "Make room before it is full.")


def look_at_clock() -> Iterator[Line]:
    """Say whether something keeps our clock right: where all is on one machine, nothing else shows
    that it is wrong. Only Linux tells."""
    tell = Teller("clock")
    state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    if state == UNKEPT:
        yield tell.look(
            f"Nothing seems to keep it right: it says {timezone.now():%H:%M:%S} UTC.",
            "Have NTP set it (`sudo apt install systemd-timesyncd`): deadlines go by it.",
        )
    elif state >= 0:
        yield tell.ok("It is kept right.")


def look_at_database() -> Iterator[Line]:
    """Say whether it answers, keeps what it is told, has today's tables and agrees with our
    clock."""
    tell = Teller("database")
    try:
        connection.ensure_connection()
        yield tell.ok(f"{connection.display_name} {_version()} answers.")
        tables = list(_migrations(tell))
        yield from tables
        yield from _durable(tell)
        yield from _clock(tell)
        if all(line.level is not Level.MEND for line in tables):
            yield from _writable(tell)
            yield from _numbers(tell)
            yield from _key(tell)
    except DatabaseError as error:
        yield tell.mend(
            f"It cannot be reached: {first_line(error)}.",
            "Start it, make room on its disk, or see to DATABASE_URL: its log says which.",
        )


def _version() -> str:
    return ".".join(map(str, connection.get_database_version()))


def _migrations(tell: Teller) -> Iterator[Line]:
    if left := migrations_to_run(connection):
        says = f"{counted(left, 'migration')} still to be run."
        yield tell.mend(says, "Run `manage.py migrate`.")
    else:
        yield tell.ok("Its tables are those of this release.")


def _durable(tell: Teller) -> Iterator[Line]:
    """PostgreSQL can be told to lose what it has confirmed; then a receipt promises too much."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            cursor.execute(f"SHOW {name}")
            if cursor.fetchone()[0] == "off":
                yield tell.mend(
                    f"{name} is off: what was answered may be lost in a power cut.",
                    f"Set `{name} = on` in postgresql.conf.",
                )


def _clock(tell: Teller) -> Iterator[Line]:
    """If the database runs on another machine, that machine's clock must agree with ours."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        drift = abs(cursor.fetchone()[0] - timezone.now())
    if drift > DRIFT:
        says = f"Its clock and ours are {drift.total_seconds():.0f} s apart."
        yield tell.mend(says, "Keep both by NTP: deadlines are compared to the second.")


def _writable(tell: Teller) -> Iterator[Line]:
    """A database on a full disk, or one that is a copy of another, answers but takes nothing.

    So we write a megabyte, and take it back.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("CREATE TABLE doctor_tries (word text)")
            cursor.executemany("INSERT INTO doctor_tries VALUES (%s)", [("w" * 1500,)] * 700)
            transaction.set_rollback(True)
        yield tell.ok("It takes what we write.")
    except DatabaseError as error:
        yield tell.mend(
            f"It takes nothing that we write: {first_line(error)}.",
            "Make room where it keeps its files, let it write if it was made read-only, or see to "
            "its user's rights.",
        )


def _numbers(tell: Teller) -> Iterator[Line]:
    """PostgreSQL's replicas by logical replication do not know how far rows are numbered: after a
    failover to one, new rows get numbers that are taken, and no mail can be stored."""
    if connection.vendor != "postgresql":
        return
    every: list[type[Model]] = [*apps.get_models(include_auto_created=True)]
    every.append(MigrationRecorder.Migration)
    if behind := [model._meta for model in every if _is_behind(model)]:
        tables = ", ".join(one.db_table for one in behind)
        yield tell.mend(
            f"New rows would get numbers that are taken: {tables}.",
            f"Run `{_numbers_on({one.app_label for one in behind})} | sudo -u postgres psql "
            "diplomacy`.",
        )


def _is_behind(model: type[Model]) -> bool:
    if not isinstance(model._meta.pk, AutoField):
        return False
    highest = model._base_manager.aggregate(Max("pk"))["pk__max"] or 0
    return last_number(connection, model) < highest


def _numbers_on(apps_behind: set[str]) -> str:
    """Return the command that shows how to continue the numbers of these apps' tables. Django's own
    command does not know the table in which Django notes its migrations."""
    steps = []
    if ours := sorted(apps_behind - {"migrations"}):
        steps.append(f"manage.py sqlsequencereset {' '.join(ours)}")
    if "migrations" in apps_behind:
        of_it = "SELECT setval('django_migrations_id_seq', max(id)) FROM django_migrations;"
        steps.append(f'echo "{of_it}"')
    return steps[0] if len(steps) == 1 else f"({'; '.join(steps)})"


def _key(tell: Teller) -> Iterator[Line]:
    if were_made_with_another_key():
        yield tell.mend(FINDING, ADVICE)


def look_at_broker() -> Iterator[Line]:
    """Say whether it answers; without one, cron and `tick` do the same work."""
    tell = Teller("broker")
    if fault := broker_fault():
        yield tell.mend(
            f"It does not take our tasks: {fault}.",
            "Start it, make room on its disk, or see to CELERY_BROKER_URL. Meanwhile `manage.py "
            "tick` does the work once; without a broker let cron run that, and ask with --cron.",
        )
    else:
        yield tell.ok("It takes our tasks.")


def broker_fault() -> str:
    """Return why the broker does not take our tasks, "" if it does.

    One that is out of disk or memory answers and takes nothing, and so does a replica. One that
    hangs takes a connection and says nothing, for ever.
    """
    try:
        with connection_to_broker(PATIENCE) as broker:
            broker.ensure_connection(max_retries=1, timeout=PATIENCE)
            broker.default_channel.client.set("diplomacy-doctor", "", ex=1)
    except Exception as error:  # redis, kombu and the network each have errors of their own
        return first_line(error)
    return ""
