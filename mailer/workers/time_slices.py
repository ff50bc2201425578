"""Jobs that share a worker: each works a little, then the next one, until the time is up.

Thousands of games may be due in the same minute, and as many reminders. No job waits until another
has done all of its work. The next tick finds what is left when the time is up, so that the worker
has a hand free for mail.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from games.services.sick_database import is_of_the_database

TURN = 0.5
"""Seconds."""

Job = Callable[[Callable[[], dt.datetime]], Iterator[int]]
"""Given the clock, it does one thing after another, each in transactions of its own, and says how
much each came to."""

Item = TypeVar("Item")
Result = TypeVar("Result")

logger = logging.getLogger(__name__)


def each(items: Iterable[Item], do: Callable[[Item], Result]) -> Iterator[Result]:
    """Do something with each, and return the results.

    An item that breaks is logged and does not keep the others waiting; otherwise it would come
    first every time. If the database is gone, everything stops.
    """
    for item in items:
        try:
            result = do(item)
        except Exception as error:
            if is_of_the_database(error):
                raise
            logger.exception("A job broke, and is left until the next tick: %s", item)
        else:
            yield result


def in_turns(jobs: Iterable[Job], clock: Callable[[], dt.datetime], *, seconds: float) -> int:
    """Carry out the jobs for at most so long; return how much they did together.

    A job that breaks is logged and does not stop the others: it has its turn again next time.
    """
    end = time.monotonic() + seconds
    waiting, done = deque(job(clock) for job in jobs), 0
    while waiting and (begun := time.monotonic()) <= end:
        job = waiting.popleft()
        try:
            for much in job:
                done += much
                if time.monotonic() > min(begun + TURN, end):
                    waiting.append(job)
                    break
        except Exception:
            logger.exception("A job broke, and is left until the next tick")
    return done
