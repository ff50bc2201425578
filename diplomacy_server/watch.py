"""Several processes as one service: forked from one that then does nothing but watch them.

That one becomes `python watch.py PIDS AGAIN…`, a program that loads next to nothing: 4 MB instead
of the 40 that a process soon has for itself of all that it shared with those it forked.

What it is told, it tells them, and it ends when all have ended. If one of them ends by itself, the
others are told to finish, and systemd or Docker starts all of them again. SIGHUP starts them again
from here, as it does a worker of Celery.
"""

from __future__ import annotations

import os
import signal
import sys

TOLD = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGCHLD)


def become_watcher(pids: list[int], again: list[str]) -> None:
    """Turn this process, whose children they are, into one that watches them. Does not return."""
    numbers = ",".join(map(str, pids))
    os.execv(sys.executable, [sys.executable, "-ISB", __file__, numbers, *again])


def watch(pids: set[int], again: list[str]) -> int:
    """Return the exit status of the first that failed, or 0. Signals of TOLD must be blocked."""
    status, is_ending, begins_again = 0, False, False
    while pids:
        told = signal.sigwait(TOLD)
        if told == signal.SIGCHLD:
            ended = _ended(pids)
            pids -= ended.keys()
            status = status or next(filter(None, ended.values()), 0)
            if is_ending or not ended:
                continue
            status = status or 1  # nobody had asked it to end
        is_ending = True
        begins_again = begins_again or told == signal.SIGHUP
        for pid in pids:
            os.kill(pid, signal.SIGQUIT if told == signal.SIGQUIT else signal.SIGTERM)
    if begins_again:
        os.execv(again[0], again)
    return status


def _ended(pids: set[int]) -> dict[int, int]:
    """Return the exit status of each that has ended, as a shell counts it."""
    ended = {}
    for pid in pids:
        one, status = os.waitpid(pid, os.WNOHANG)
        if one:
            code = os.waitstatus_to_exitcode(status)
            ended[one] = code if code >= 0 else 128 - code
    return ended


if __name__ == "__main__":
    sys.exit(watch({int(pid) for pid in sys.argv[1].split(",")}, sys.argv[2:]))
