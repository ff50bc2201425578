"""The clock as a process of its own: `python -m diplomacy_server.beat`.

When a job's time has come, it asks the workers for it (mailer/workers/nudges.py). It loads neither
Django's apps nor Celery, and takes a third of the memory of `celery beat`.
"""

from __future__ import annotations

import logging.config
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")

import django
from django.conf import settings
from django.utils.module_loading import import_string

from diplomacy_server.discretion import quotes_nobody
from diplomacy_server.schedule import Tick, ticks
from mailer.workers.nudges import ask_for

logger = logging.getLogger(__name__)

PATIENCE = 10.0
"""How many seconds the broker may take to answer. Nobody waits for the clock as they do for whoever
nudges, and a broker that is slow still gets its ticks."""


class Clock:
    """Asks for each job when its time has come.

    It counts the seconds itself. Celery's own asks the machine's clock when a job ran last: when
    somebody set that back by two hours, it sent nothing for two hours.
    """

    def __init__(self, wanted: Iterable[Tick]) -> None:
        begun = time.monotonic()
        self._due = {tick: begun + tick.seconds for tick in wanted}

    def tick(self) -> float:
        """Ask for the jobs that are due; return the seconds until the next one is."""
        now = time.monotonic()
        due = [tick for tick, at in self._due.items() if at <= now]
        self._due.update({tick: now + tick.seconds for tick in due})
        if due:
            _ask(due)
        return max(min(self._due.values()) - time.monotonic(), 0.0)


def _ask(due: Iterable[Tick]) -> None:
    """Ask for these jobs; if that fails, the next tick asks again."""
    try:
        ask_for({tick.task: tick.seconds for tick in due}, PATIENCE)
    except Exception as error:  # whatever went wrong, the clock goes on
        why = error if quotes_nobody(error) else type(error).__name__
        logger.warning("No job can be sent: the broker does not answer (%s)", why)


def need_right_tables() -> None:
    """End this process with a sentence if the tables are not those of the code.

    Another process looks, so that what it has to load goes when it ends.
    """
    # A daemon: if this process is told to end meanwhile, it does not wait for a silent database.
    looking = multiprocessing.get_context("fork").Process(target=_look_at_tables, daemon=True)
    looking.start()
    looking.join()
    if looking.exitcode:
        sys.exit(looking.exitcode)


def _look_at_tables() -> None:
    django.setup()
    import_string("mailer.workers.right_tables.need_right_tables")()


def main() -> None:
    """Tick until told to end."""
    # Before all else: the first process of a container does not hear what it has not asked for.
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, lambda *_: sys.exit(0))
    need_right_tables()
    logging.config.dictConfig(settings.LOGGING)
    clock = Clock(ticks())
    while True:
        time.sleep(clock.tick())


if __name__ == "__main__":
    main()
