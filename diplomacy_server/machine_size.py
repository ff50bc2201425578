"""Whether this machine is one of the small ones that are rented for a few euros a month."""

from __future__ import annotations

import os

LITTLE = 1 << 30
"""In bytes. A machine of 1 GB has a little less: the kernel keeps some."""


def is_small() -> bool:
    """Say whether it has a single core for us, or so little memory that each process counts."""
    return cores() == 1 or memory() <= LITTLE


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory() -> int:
    """Return the machine's memory in bytes. Needs no file, since our units may read none in
    /proc but those of processes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
