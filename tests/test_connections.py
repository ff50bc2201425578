"""The worker keeps its connection to the database from task to task, and sees when it is lost."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg
import pytest
from celery import signals
from celery.fixups.django import DjangoWorkerFixup
from django.db import connection

from diplomacy_server.celery import app
from diplomacy_server.tasks import ping

pytestmark = [pytest.mark.only_on("PostgreSQL"), pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def as_in_a_worker() -> Iterator[None]:
    """What Celery does with Django before and after each task; the connection is the test's own."""
    connection.close()
    fixup = DjangoWorkerFixup(app)
    signals.task_prerun.connect(fixup.on_task_prerun)
    signals.task_postrun.connect(fixup.on_task_postrun)
    yield
    signals.task_prerun.disconnect(fixup.on_task_prerun)
    signals.task_postrun.disconnect(fixup.on_task_postrun)
    connection.close()


def task() -> int:
    """A task that asks the database; the process there that answered."""
    signals.task_prerun.send(sender=ping, task_id="1", task=ping)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        ((pid,),) = cursor.fetchall()
    signals.task_postrun.send(sender=ping, task_id="1", task=ping)
    return int(pid)


def end(pid: int) -> None:
    """Have the database end a connection, as when it restarts."""
    url = connection.get_connection_params()
    names = ("dbname", "host", "port", "user", "password")
    with psycopg.connect(**{name: url[name] for name in names if name in url}) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_tasks_share_a_connection():
    assert task() == task()


def test_a_connection_that_was_lost_is_made_anew_and_no_task_breaks_over_it():
    lost = task()
    end(lost)
    assert task() != lost


def test_one_that_is_too_old_is_made_anew(monkeypatch: pytest.MonkeyPatch):
    old = task()
    monkeypatch.setattr(connection, "close_at", 0.0)
    assert task() != old


def test_long_texts_are_compressed_quickly_unless_somebody_chose_otherwise() -> None:
    chosen = {"options": "-c default_toast_compression=pglz"}
    for options, used in (({}, "lz4"), (chosen, "pglz")):
        other = connection.copy()
        other.settings_dict["OPTIONS"] = {**connection.settings_dict["OPTIONS"], **options}
        with contextlib.closing(other), other.cursor() as cursor:
            cursor.execute("SHOW default_toast_compression")
            assert cursor.fetchone() == (used,)
