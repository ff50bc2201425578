"""The leader of the process group: it outlives the supervisor by two seconds and ends the rest.

The supervisor holds the other end of a pipe. However it dies, by Ctrl-C or by kill -9, the
operating system closes that end; then the keeper ends whatever is left of the group. It must not
break, so it imports only the standard library.
"""

from __future__ import annotations

import os
import signal
import sys
import time

GRACE_SECONDS = 2.0


def main(pipe: int) -> None:
    """Wait until the pipe closes; then SIGTERM to the group, and SIGKILL after the grace."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.read(pipe, 1)
    os.killpg(0, signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]))
