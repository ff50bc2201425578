"""Several processes as one service: forked here, and watched by what forked them (watch.py)."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable

from diplomacy_server import watch


def work_together(count: int, work: Callable[[int], int]) -> None:
    """Fork so many processes and become the one that watches them. Does not return.

    Each does `work` with its number, from 1 on, and ends with the exit status that it returns.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, watch.TOLD)
    leash, held = os.pipe()
    pids = []
    for number in range(1, count + 1):
        pid = os.fork()
        if pid == 0:
            os.close(held)
            threading.Thread(target=_end_without_watcher, args=[leash], daemon=True).start()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, watch.TOLD)
            sys.exit(work(number))
        pids.append(pid)
    os.set_inheritable(held, True)  # noqa: FBT003
    watch.become_watcher(pids)


def _end_without_watcher(leash: int) -> None:
    """Finish as if told to, when somebody has killed the process that watches and would have told
    us."""
    os.read(leash, 1)
    os.kill(os.getpid(), signal.SIGTERM)
