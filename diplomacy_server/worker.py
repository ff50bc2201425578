"""The worker as a process of its own: `python -m diplomacy_server.worker`.

Celery's worker without Celery's command line, which takes 9 MB of each machine's memory and is
never used again once it has started this. Its first process is the clock, too (clock.py).

On all but small machines it is two of Celery's workers, a process each. Celery itself would have
one process more, which works on nothing.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from importlib import import_module

from celery.apps.worker import Worker, install_worker_term_handler
from celery.utils.nodenames import host_format

from diplomacy_server.celery import (
    app,
    begin_with_the_right_tables,
    let_no_task_hang,
    share_what_is_loaded,
)
from diplomacy_server.clock import start_clock
from diplomacy_server.together import work_together

LATER = (
    "billiard.pool",
    "celery.app.control",
    "celery.app.log",
    "celery.backends.base",
    "celery.concurrency.solo",
    "celery.contrib.django.task",
    "celery.events.receiver",
    "celery.worker.autoscale",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.consumer.delayed_delivery",
)
"""What Celery loads for a worker when it starts."""
APART = {"without_gossip": True, "without_mingle": True, "without_heartbeat": True}
"""None of them needs to hear of the others. Asking takes a second of the start, and after a task of
half a minute each would warn that their clocks are out of step."""


class Finishing(Worker):  # type: ignore[misc]
    """A worker of Celery's that finishes its task when somebody ends it."""

    def install_platform_tweaks(self, worker: Worker) -> None:
        """Take SIGHUP and any Ctrl-C as SIGTERM, and leave SIGQUIT to the system, which kills.

        On SIGHUP Celery would have each process start a whole service again. On SIGQUIT and a
        second Ctrl-C it raises an error in the middle of the task, which would then count against
        the mail or the phase.
        """
        super().install_platform_tweaks(worker)
        for name in ("SIGHUP", "SIGINT"):
            install_worker_term_handler(worker, sig=name)
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def options_of(argv: Sequence[str]) -> argparse.Namespace:
    """Read the options, which have the names of those of `celery worker`."""
    asked = argparse.ArgumentParser(prog="diplomacy_server.worker", description=__doc__)
    asked.add_argument("-Q", "--queues", help="serve only these, with commas")
    asked.add_argument("-n", "--hostname", help="this worker's name on its machine")
    asked.add_argument(
        "-c", "--concurrency", type=int, default=app.conf.worker_concurrency, help="processes"
    )
    given = asked.parse_args(argv)
    if given.concurrency < 1:
        asked.error("-c: it takes at least one process")
    known = [queue.name for queue in app.conf.task_queues]
    for name in given.queues.split(",") if given.queues else ():
        if name not in known:
            asked.error(f"-Q: no queue is called {name!r}; there are {' and '.join(known)}")
    return given


def name_of(number: int, hostname: str | None) -> str:
    """Return the name that the process of this number has among Celery's workers: each has its
    own."""
    name, _, host = (hostname or "celery").partition("@")
    own = f"{name}-{number}" if number > 1 else name
    return str(host_format(f"{own}@{host or '%h'}"))


def work(number: int, given: argparse.Namespace) -> int:
    """Do tasks until told to end; return the exit status."""
    app.conf.update(worker_pool="solo", worker_concurrency=1)
    let_no_task_hang()
    name = name_of(number, given.hostname)
    worker = Finishing(
        app=app, loglevel="WARNING", quiet=True, hostname=name, queues=given.queues, **APART
    )
    if number == 1:
        start_clock()
    worker.start()
    return int(worker.exitcode or 0)


def load() -> None:
    """Load what all of them share."""
    app.loader.init_worker()
    for module in LATER:
        import_module(module)
    _ = app.connection_for_read().transport
    begin_with_the_right_tables()
    share_what_is_loaded()


if __name__ == "__main__":
    options = options_of(sys.argv[1:])
    if options.concurrency == 1:
        sys.exit(work(1, options))
    load()
    work_together(options.concurrency, lambda number: work(number, options))
