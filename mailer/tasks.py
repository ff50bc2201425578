"""The jobs as Celery tasks: they read the clock, and `jobs` does the rest."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from celery import shared_task
from django.conf import settings

from mailer import jobs
from mailer.inbound.outages import poll_is_missing
from mailer.inbound.timekeeping import is_right, now
from mailer.workers.nudges import nudge
from mailer.workers.time_slices import in_turns


def on_time(job: Callable[[dt.datetime], int]) -> int:
    """Do a job that depends on the time, on a machine whose clock is right."""
    at = now()
    return job(at) if is_right(at) else 0


def and_next(done: int, *tasks: str) -> int:
    """Ask at once for the tasks that may follow, if anything was done; return how much was."""
    if done:
        nudge(*tasks)
    return done


@shared_task
def poll() -> int:
    """Fetch new mail. Phases that are due may have waited for that."""
    at = now()
    waited = is_right(at) and poll_is_missing(at)
    stored = and_next(on_time(jobs.poll), "process")
    # If the poll did not help, the two would ask for each other without end.
    if waited and not poll_is_missing(at):
        nudge("deadlines")
    return stored


@shared_task
def process() -> int:
    """Work on stored mail and send the answers, until the next tick."""
    done = jobs.process_in_turns(now, seconds=settings.TICK_SECONDS)
    return and_next(done, "process", "deadlines", "outbox")


@shared_task
def deadlines() -> int:
    """Do what depends on the time, and tell what happened, until the next tick.

    A machine whose clock is wrong only tells.
    """
    due = jobs.BY_THE_CLOCK if is_right(now()) else jobs.TELLING
    done = in_turns(due, now, seconds=settings.TICK_SECONDS)
    if is_right(at := now()) and poll_is_missing(at):
        nudge("poll")
    return and_next(done, "deadlines", "outbox")


@shared_task
def probe() -> bool:
    """Write to ourselves, if the operator wants that."""
    return jobs.probe(now())


@shared_task
def forget() -> int:
    """Empty what is too old."""
    return jobs.forget(now(), seconds=jobs.FORGETTING)


@shared_task
def outbox() -> int:
    """Send what is queued."""
    return and_next(jobs.outbox(now()), "outbox")
