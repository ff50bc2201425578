"""The clock as a process of its own: `python -m diplomacy_server.beat`.

When a job's time has come it sends the job's name; what the job does is the workers' business.
So it loads neither Django's apps nor any task, and takes a third of the memory of `celery beat`.
"""

from __future__ import annotations

import logging.config
import multiprocessing
import sys
import time
from typing import Any

import django
from celery.apps.beat import Beat
from celery.beat import ScheduleEntry, Scheduler, SchedulingError
from django.conf import settings

from diplomacy_server.celery import app, begin_with_the_right_tables

logger = logging.getLogger(__name__)


class Ticks(Scheduler):  # type: ignore[misc]
    """Celery's scheduler, without the 200 lines a tick that it writes while the broker is away.

    Celery asks the machine's clock when a job ran last: set back by two hours, it sent nothing for
    two hours. This one counts the seconds itself.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        self._due: dict[str, float] = {}
        super().__init__(*given, **more)

    def tick(self, *_: Any, **__: Any) -> float:
        """Send the jobs whose time has come; return the seconds until the next one's."""
        now = time.monotonic()
        for name, entry in self.schedule.items():
            seconds = entry.schedule.run_every.total_seconds()
            if self._due.setdefault(name, now + seconds) <= now:
                self._due[name] = now + seconds
                self.apply_entry(entry, producer=self.producer)
        soonest = min(self._due.values(), default=now + self.max_interval)
        return min(max(soonest - time.monotonic(), 0.0), float(self.max_interval))

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send the name of a job. If that fails, the next tick sends it."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError:
            logger.warning("No job can be sent: the broker does not answer")


class Clock(Beat):  # type: ignore[misc]
    """Celery's beat without what only tasks need."""

    def init_loader(self) -> None:
        """Load nothing more, and log as the other processes do."""
        self.app.finalize()
        logging.config.dictConfig(settings.LOGGING)


def need_right_tables() -> None:
    """End this process with a sentence if the tables are not those of the code.

    Another process looks, and takes with it what it had to load.
    """
    looking = multiprocessing.get_context("fork").Process(target=_look_at_tables)
    looking.start()
    looking.join()
    if looking.exitcode:
        sys.exit(looking.exitcode)


def _look_at_tables() -> None:
    django.setup()
    begin_with_the_right_tables()


if __name__ == "__main__":
    need_right_tables()
    Clock(app=app, loglevel="WARNING", quiet=True).run()
