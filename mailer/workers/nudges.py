"""Tells the workers that there is something to do, so that nobody waits for the next tick.

The database has the work, and every tick finds it there, so a lost nudge costs a few seconds and
nothing else. It is tried once, nobody waits long for a broker that does not answer, and then the
broker is left in peace for some seconds.
"""

from __future__ import annotations

import logging
import time
from functools import cache

from celery import Celery
from django.conf import settings

logger = logging.getLogger(__name__)

LONGEST = 1.0
"""How many seconds a nudge may take to reach the broker."""
PEACE = 5.0
"""How many seconds we send no nudge after one that did not get there."""
_QUEUES = {"deadlines": "deadlines"}
"""The tasks with a queue of their own (diplomacy_server/celery.py)."""


class Nudges:
    """Sends them, for one process."""

    def __init__(self) -> None:
        self.silent_until = 0.0

    def send(self, *tasks: str) -> None:
        """Ask for these tasks of `mailer.tasks` now; do nothing while the broker is away."""
        if time.monotonic() < self.silent_until:
            return
        app = _sending()
        try:
            with app.connection_for_write(settings.CELERY_BROKER_URL) as connection:
                connection.ensure_connection(max_retries=1, interval_start=0, timeout=LONGEST)
                for task in tasks:
                    app.send_task(
                        f"mailer.tasks.{task}",
                        queue=_QUEUES.get(task),
                        expires=settings.TICK_SECONDS,
                        connection=connection,
                        retry=False,
                    )
        except Exception as error:  # whoever nudges has done their work, and goes on
            self.silent_until = time.monotonic() + PEACE
            logger.info("The broker does not answer (%s): work waits for its tick", error)


nudge = Nudges().send


@cache
def _sending() -> Celery:
    """An app that only sends: the poller needs nothing else from Celery."""
    patience = {"socket_timeout": LONGEST, "socket_connect_timeout": LONGEST}
    app = Celery(set_as_current=False)
    app.conf.update(
        broker_transport_options=patience, task_ignore_result=True, task_serializer="json"
    )
    return app
