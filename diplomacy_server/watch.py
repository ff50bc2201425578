"""Several processes as one service: forked from one that then does nothing but watch them.

That one becomes `python watch.py PIDS`, a program that loads next to nothing. It takes 4 MB;
otherwise it would soon have 40 MB for itself of what it first shares with its children.

When told to end, it tells the others to finish, and ends after them. If one of them ends by itself,
so do the others, and systemd or Docker starts all of them again.
"""

from __future__ import annotations

import os
import signal
import sys

TOLD = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)


def become_watcher(pids: list[int]) -> None:
    """Turn this process, the parent of these, into one that watches them. Does not return."""
    numbers = ",".join(map(str, pids))
    os.execv(sys.executable, [sys.executable, "-ISB", __file__, numbers])


def watch(pids: set[int]) -> int:
    """Return the exit status of the first that failed, or 0. The signals in TOLD must be
    blocked."""
    status, is_ending = 0, False
    while pids:
        if signal.sigwait(TOLD) == signal.SIGCHLD:
            ended = _ended(pids)
            pids -= ended.keys()
            status = status or next(filter(None, ended.values()), 0)
            if is_ending or not ended:
                continue
            status = status or 1  # nobody had asked it to end
            _say(ended)
        is_ending = True
        for pid in pids:
            os.kill(pid, signal.SIGTERM)
    return status


def _say(ended: dict[int, int]) -> None:
    """Tell the log why all of them end: what it has otherwise is that the others were told to."""
    for pid, code in ended.items():
        is_killed = code == 128 + signal.SIGKILL
        how = "was killed (out of memory?)" if is_killed else f"ended by itself ({code})"
        then = "the others finish their tasks and end, too, to be started again"
        print(f"Process {pid} of this service {how}: {then}.", file=sys.stderr, flush=True)


def _ended(pids: set[int]) -> dict[int, int]:
    """Return the exit status of each that has ended, as a shell counts it. It is 0 for one that
    ended by the signal that we sent, as happens if it has only begun to start."""
    ended = {}
    for pid in pids:
        one, status = os.waitpid(pid, os.WNOHANG)
        if one:
            code = os.waitstatus_to_exitcode(status)
            ended[one] = 0 if -code in TOLD else code if code >= 0 else 128 - code
    return ended


if __name__ == "__main__":
    sys.exit(watch({int(pid) for pid in sys.argv[1].split(",")}))
