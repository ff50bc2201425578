"""The duties as Celery tasks: here the clock is read; all else is in jobs.py."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from mailer import jobs
from mailer.inbound.timekeeping import now


@shared_task
def poll() -> int:
    """Fetch new mail."""
    return jobs.poll(now())


@shared_task
def process() -> int:
    """Work on stored mail and send the answers, until the next tick."""
    return jobs.process_in_turns(now, seconds=settings.TICK_SECONDS)


@shared_task
def deadlines() -> int:
    """Process the phases that are due, until the next tick."""
    return jobs.deadlines_in_turns(now, seconds=settings.TICK_SECONDS)


@shared_task
def resume() -> int:
    """Let games go on whose pause is over."""
    return jobs.resume(now())


@shared_task
def seats() -> int:
    """See to open seats and what is offered."""
    return jobs.seats(now())


@shared_task
def remind() -> int:
    """Remind those who owe orders."""
    return jobs.remind(now())


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
