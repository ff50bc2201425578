"""Which job the clock asks for, and how often; what a job does is the workers' business."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

MINUTE, HOUR = 60.0, 3600.0


@dataclass(frozen=True, slots=True)
class Tick:
    """A task that the clock asks for every so many seconds."""

    task: str
    """The name that Celery knows it by."""
    seconds: float


def ticks() -> tuple[Tick, ...]:
    """Return every tick that the settings call for."""
    return (
        Tick("mailer.tasks.poll", settings.POLL_SECONDS),
        Tick("mailer.tasks.process", settings.TICK_SECONDS),
        Tick("mailer.tasks.deadlines", settings.TICK_SECONDS),
        Tick("mailer.tasks.outbox", settings.TICK_SECONDS),
        Tick("mailer.tasks.forget", HOUR),
        *([Tick("mailer.tasks.probe", MINUTE)] if settings.PROBE_SECONDS else []),
        *([Tick("diplomacy_server.tasks.ping", MINUTE)] if settings.PING_URL else []),
    )
