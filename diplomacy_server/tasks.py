"""The jobs that serve the operator, as Celery tasks."""

from __future__ import annotations

from celery import shared_task

from diplomacy_server.health import ping as dead_man
from mailer.inbound.timekeeping import now


@shared_task
def ping() -> bool:
    """Tell the monitor that all is well."""
    return dead_man.ping(now())
