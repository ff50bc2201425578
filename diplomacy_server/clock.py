"""The clock: it asks the workers for each job when its time has come (mailer/workers/nudges.py).

It is a thread of each worker's first process (worker.py), so that there is no service of its own to
start, to watch, and to hold 26 MB. Where several workers run, all of them ask: whoever comes second
finds nothing to do.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable

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


def start_clock() -> None:
    """Tick beside whatever this process does, for as long as it lives."""
    threading.Thread(target=_tick_on, name="clock", daemon=True).start()


def _tick_on() -> None:
    clock = Clock(ticks())
    while True:
        time.sleep(clock.tick())
