"""The worker as a process of its own: `python -m diplomacy_server.worker`.

Celery's worker without Celery's command line, which takes 9 MB of each machine's memory and is
never used again once it has started this.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from celery.apps.worker import Worker

from diplomacy_server.celery import app


def options_of(argv: Sequence[str]) -> argparse.Namespace:
    """Read the options, which are called as those of `celery worker`."""
    asked = argparse.ArgumentParser(prog="diplomacy_server.worker", description=__doc__)
    asked.add_argument("-Q", "--queues", help="serve only these, with commas")
    asked.add_argument("-n", "--hostname", help="this worker's name: one@%%h")
    asked.add_argument("-c", "--concurrency", type=int, help="processes, on a large machine")
    return asked.parse_args(argv)


if __name__ == "__main__":
    given = options_of(sys.argv[1:])
    sys.argv[:1] = ["-m", "diplomacy_server.worker"]  # with which Celery restarts it on SIGHUP
    worker = Worker(app=app, loglevel="WARNING", quiet=True, **vars(given))
    worker.start()
    sys.exit(worker.exitcode)
