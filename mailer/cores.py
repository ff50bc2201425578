"""Keeps a worker's processes at the same kind of work down to the number of the machine's cores.

On two cores, eight processes did a fifth to a third fewer mails and phases a second than two did,
although none waits for another's locks: they push each other's data out of the processor's caches.
Eight that share nothing, not even a database, lose as much (`benchmarks.workers --apart`).

The processes share a file that nobody reads. Each of its bytes is a core, and belongs to the
process that has locked it. The lock goes when its process ends, in whatever way. This is a
courtesy, not a promise: a process that has waited for long goes on without a core, so that a
hanging one cannot stop the others.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator

PATIENCE = 1.0
"""In seconds: twenty mails hold a core for at most 0.1, a phase for 0.01."""
LOOK = 0.02
"""Seconds after which a waiting process looks for a free core again."""


def number_of_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Cores:
    """The cores that a process shares with everything forked from it.

    There is one set for mails and another for phases, so that receipts do not wait for thousands of
    phases.
    """

    def __init__(
        self, number: int | None = None, *, patience: float = PATIENCE, file: int | None = None
    ) -> None:
        """Share this many cores, by default the machine's; a process waits for at most `patience`
        seconds.

        `file` is open, and the same for processes that were not forked from one another.
        """
        self.number = number or number_of_cores()
        self.patience = patience
        self._file = _file() if file is None else file

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        """Have a core to oneself, or do without once patience runs out.

        Lock nothing that others may wait for before this.
        """
        core = self._wait()
        try:
            yield
        finally:
            if core is not None:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, core)

    def _wait(self) -> int | None:
        end = time.monotonic() + self.patience
        while (core := self._free()) is None and time.monotonic() < end:
            time.sleep(LOOK)
        return core

    def _free(self) -> int | None:
        """Take the first core that nobody has."""
        for core in range(self.number):
            with contextlib.suppress(BlockingIOError):
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, core)
                return core
        return None


def _file() -> int:
    """An empty file without a name, open as long as the process lives; on no disk, if possible."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("cores")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
