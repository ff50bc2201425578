"""Tells the workers that there is something to do, so that nobody waits for the next tick.

The database has the work, and every tick finds it there, so a lost nudge costs a few seconds and
nothing else. It is tried once, nobody waits long for a broker that does not answer, and then the
broker is left in peace for some seconds.

A nudge is written here as Celery writes it, for whom it is (its docs, "Message Protocol", version
2): poller and web service need nothing else from Celery, which would take 4 MB of each.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from typing import Any
from uuid import uuid4

from django.conf import settings
from kombu.connection import Connection
from kombu.messaging import Producer

logger = logging.getLogger(__name__)

LONGEST = 1.0
"""How many seconds a nudge may take to reach the broker."""
PEACE = 5.0
"""How many seconds we send no nudge after one that did not get there."""
_PATIENCE = {"socket_timeout": LONGEST, "socket_connect_timeout": LONGEST}
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
        try:
            with _connection() as connection:
                connection.ensure_connection(max_retries=1, interval_start=0, timeout=LONGEST)
                producer: Any = Producer(connection)  # type: ignore[no-untyped-call]
                for task in tasks:
                    producer.publish(**_message(task))
        except Exception as error:  # whoever nudges has done their work, and goes on
            self.silent_until = time.monotonic() + PEACE
            logger.info("The broker does not answer (%s): work waits for its tick", error)


def _connection() -> Any:
    return Connection(  # type: ignore[no-untyped-call]
        settings.CELERY_BROKER_URL, transport_options=_PATIENCE
    )


def _message(task: str) -> dict[str, Any]:
    """Return what asks for a task of `mailer.tasks`, and is worthless after the next tick."""
    key = str(uuid4())
    expires = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=settings.TICK_SECONDS)
    headers = {
        "lang": "py",
        "task": f"mailer.tasks.{task}",
        "id": key,
        "root_id": key,
        "parent_id": None,
        "group": None,
        "expires": expires.isoformat(),
        "ignore_result": True,
    }
    return {
        "body": ((), {}, {}),
        "serializer": "json",
        "routing_key": _QUEUES.get(task, "celery"),
        "headers": headers,
        "correlation_id": key,
    }


nudge = Nudges().send
