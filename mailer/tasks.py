"""The duties as Celery tasks: here the clock is read; all else is in jobs.py."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from celery import shared_task
from django.conf import settings

from mailer import jobs
from mailer.inbound.timekeeping import is_right, now


def on_time(duty: Callable[[dt.datetime], int]) -> int:
    """Do what hangs on the time, on a machine whose clock is right."""
    at = now()
    return duty(at) if is_right(at) else 0


@shared_task
def poll() -> int:
    """Fetch new mail."""
    return on_time(jobs.poll)


@shared_task
def process() -> int:
    """Work on stored mail and send the answers, until the next tick."""
    return jobs.process_in_turns(now, seconds=settings.TICK_SECONDS)


@shared_task
def deadlines() -> int:
    """Process the phases that are due, until the next tick."""
    return on_time(lambda _: jobs.deadlines_in_turns(now, seconds=settings.TICK_SECONDS))


@shared_task
def resume() -> int:
    """Let games go on whose pause is over."""
    return on_time(jobs.resume)


@shared_task
def seats() -> int:
    """See to open seats and what is offered."""
    return on_time(jobs.seats)


@shared_task
def remind() -> int:
    """Remind those who owe orders."""
    return on_time(jobs.remind)


@shared_task
def probe() -> bool:
    """Write to ourselves, where that is wanted."""
    return jobs.probe(now())


@shared_task
def forget() -> int:
    """Empty what is too old."""
    return jobs.forget(now())


@shared_task
def tell() -> int:
    """Write the notices of what happened."""
    return jobs.tell(now())


@shared_task
def outbox() -> int:
    """Send what is queued."""
    return jobs.outbox(now())
