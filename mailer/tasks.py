"""The duties as Celery tasks: here the clock is read; all else is in duties.py."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from mailer import duties
from mailer.timekeeping import now


@shared_task
def poll() -> int:
    """Fetch new mail."""
    return duties.poll(now())


@shared_task
def process() -> int:
    """Work on stored mail and send the answers, until the next tick."""
    return duties.process_in_turns(now, seconds=settings.TICK_SECONDS)


@shared_task
def deadlines() -> int:
    """Process the phases that are due."""
    return duties.deadlines(now())


@shared_task
def resume() -> int:
    """Let games go on whose pause is over."""
    return duties.resume(now())


@shared_task
def seats() -> int:
    """See to open seats and what is offered."""
    return duties.seats(now())


@shared_task
def remind() -> int:
    """Remind those who owe orders."""
    return duties.remind(now())


@shared_task
def tell() -> int:
    """Write the notices of what happened."""
    return duties.tell(now())


@shared_task
def outbox() -> int:
    """Send what is queued."""
    return duties.outbox(now())
