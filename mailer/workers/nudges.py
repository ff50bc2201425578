"""Tells the workers that there is something to do, so that nobody waits for the next tick.

The database has the work, and every tick finds it there, so a lost nudge costs a few seconds and
nothing else. We try once, wait only briefly for a broker that does not answer, and then leave it in
peace for some seconds.

We write the request for a task here as Celery, which reads it, would write it (its docs, "Message
Protocol", version 2): poller and web service need nothing else from Celery, which would take
4 MB of each.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Mapping
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
_QUEUES = {"mailer.tasks.deadlines": "deadlines"}
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
            ask_for({f"mailer.tasks.{task}": settings.TICK_SECONDS for task in tasks})
        except Exception as error:  # the caller has done its work, and goes on
            self.silent_until = time.monotonic() + PEACE
            logger.info("The broker does not answer (%s): work waits for its tick", error)


def ask_for(tasks: Mapping[str, float], patience: float = LONGEST) -> None:
    """Ask for these tasks, by their whole names; each is worthless after so many seconds.

    Each answer of the broker may take `patience` seconds. Raises whatever kombu does if the broker
    cannot be reached.
    """
    with connection_to_broker(patience) as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=patience)
        producer: Any = Producer(broker)  # type: ignore[no-untyped-call]
        for task, seconds in tasks.items():
            producer.publish(**_message(task, seconds))


def connection_to_broker(patience: float) -> Any:
    """Return a way to the broker, each of whose answers may take so many seconds."""
    return Connection(  # type: ignore[no-untyped-call]
        settings.CELERY_BROKER_URL,
        transport_options={"socket_timeout": patience, "socket_connect_timeout": patience},
    )


def _message(task: str, seconds: float) -> dict[str, Any]:
    key = str(uuid4())
    expires = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)
    headers = {
        "lang": "py",
        "task": task,
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
