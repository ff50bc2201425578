"""Several workers at once: threads that are let loose at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

from games.errors import GameError
from tests.cast import HOUR, NOW

DUE = NOW + 72 * HOUR
Value = TypeVar("Value")


def together(*calls: Callable[[], Value]) -> list[Value | GameError]:
    """Run the calls in threads of their own, let loose at the same moment."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], Value]) -> Value | GameError:
        gate.wait(timeout=60)
        return in_thread(call)

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, c) for c in calls]]


def in_thread(call: Callable[[], Value]) -> Value | GameError:
    """Do one thing as a worker of its own would, with its own connection."""
    try:
        return call()
    except GameError as error:
        return error
    finally:
        connection.close()


def somebody_waits() -> bool:
    """Whether another connection waits for what this one holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks"
            " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])
