"""Whether this machine is one of the small ones that are rented for a few euros a month."""

from __future__ import annotations

import os

from mailer.cores import number_of_cores

LITTLE = 1 << 30
"""In bytes. A machine of 1 GB has a little less: the kernel keeps some."""


def is_small() -> bool:
    """Say whether it has a single core for us, or so little memory that each process counts."""
    return number_of_cores() == 1 or memory() <= LITTLE


def memory() -> int:
    """Return the machine's memory in bytes. Read no file: in /proc, our units may read only those
    of processes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
