"""Celery: a clock and hands for the jobs; it holds no state.

Redis may lose or double every message: the jobs read the database, lock what they take and
find nothing to do the second time. Every tick expires before the next one, so a worker that was
away does not find a queue of old ones.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import sys

from celery import Celery, signals
from django.conf import settings
from django.db import close_old_connections, connection
from django.template import engines
from django.utils.module_loading import import_string
from kombu.entity import Queue

from diplomacy_server.schedule import ticks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
# Celery would have Django inspect every page of the admin, and ignore what it finds. `manage.py
# check` does both better before a worker starts (deploy/systemd).
os.environ.setdefault("CELERY_SKIP_CHECKS", "yes")


LONGEST_TASK = 300
"""In seconds."""

app = Celery("diplomacy_server")
app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    broker_connection_retry_on_startup=True,
    # By default a worker gives up after a hundred attempts, which is three quarters of an hour.
    broker_connection_max_retries=None,
    # Unacknowledged messages of a killed worker come back after ten minutes, longer than any
    # task may run; until then the next tick has done the work.
    broker_transport_options={
        "visibility_timeout": 600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        # Notice when the broker's machine went away without a word.
        "socket_keepalive": True,
        "socket_connect_timeout": 10,
    },
    # What depends on the time has a queue of its own, so that mail goes on while thousands of games
    # are due. By default a worker serves both in turns.
    task_default_queue="celery",
    task_queues=(Queue("celery"), Queue("deadlines")),  # type: ignore[no-untyped-call]
    task_routes={"mailer.tasks.deadlines": {"queue": "deadlines"}},
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_time_limit=LONGEST_TASK,
    # The pool is for `celery worker`, which the first units ran; worker.py forks as many processes
    # of its own.
    worker_pool="solo" if settings.SMALL_MACHINE else "prefork",
    worker_concurrency=1 if settings.SMALL_MACHINE else 2,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
    timezone="UTC",
    # For `celery beat`, which the first units ran; clock.py does without. This one keeps no file,
    # since ticks have nothing to remember from one start to the next.
    beat_scheduler="celery.beat:Scheduler",
    beat_schedule={
        tick.task: {
            "task": tick.task,
            "schedule": tick.seconds,
            "options": {"expires": tick.seconds},  # by then the next one comes
        }
        for tick in ticks()
    },
)
# Celery would close the database after each task. Django closes it when it is time.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize
app.autodiscover_tasks(["mailer", "diplomacy_server"])


def log_as_other_processes_do(**_: object) -> None:
    """Leave the logs as Django has set them up. If we did not listen here, Celery's own
    `--loglevel` would decide, and no worker would say what became of a mail or a phase."""


def begin_with_the_right_tables(**_: object) -> None:
    """Do not start on tables that an upgrade has left half done."""
    import_string("mailer.workers.right_tables.need_right_tables")()  # the apps are loaded by now
    connection.close()  # the worker's processes are forked from here


def share_what_is_loaded(**_: object) -> None:
    """Load what each of the worker's processes would read with its first mail, and freeze it: they
    share memory as long as nobody looks through it for garbage."""
    # By its name: the apps are not loaded yet.
    import_string("games.queries.board.read_all_maps")()
    engines.all()  # they load the tags of all templates
    gc.collect()
    gc.freeze()


def begin_with_a_sound_connection(**_: object) -> None:
    """Close connections that are too old or lost, as Django does at the beginning of a page."""
    close_old_connections()


def end_if_it_hangs(**_: object) -> None:
    """End this process, and say where it was, if its task takes longer than any task may.

    A pool of Celery's would end the process that has the task; here the worker is that process.
    """
    faulthandler.dump_traceback_later(LONGEST_TASK, exit=True)


def it_did_not_hang(**_: object) -> None:
    """Let a process live whose task is done."""
    faulthandler.cancel_dump_traceback_later()


def let_no_task_hang() -> None:
    """Have this process end if a task hangs: it is a worker without a pool."""
    signals.task_prerun.connect(end_if_it_hangs)
    signals.task_postrun.connect(it_did_not_hang)


signals.setup_logging.connect(log_as_other_processes_do)
signals.worker_init.connect(begin_with_the_right_tables)
signals.worker_init.connect(share_what_is_loaded)
signals.task_prerun.connect(begin_with_a_sound_connection)
if settings.SMALL_MACHINE:
    let_no_task_hang()
