"""Where files can be in memory that nobody needs when the tests are over."""

from __future__ import annotations

import os
import re
from pathlib import Path

MEMORY = Path("/dev/shm")
"""A file system in memory, which Linux has for everybody."""
MEMINFO = Path("/proc/meminfo")


def in_memory(need: int, spare: int = 0) -> Path | None:
    """A folder in memory with room for so many bytes, of which programs can be run; None if there
    is none, or if the machine would have less memory left than `spare` bytes for all else."""
    if not os.access(MEMORY, os.W_OK):
        return None
    about = os.statvfs(MEMORY)
    has_room = about.f_bavail * about.f_frsize >= need and available() >= need + spare
    return MEMORY if has_room and not about.f_flag & os.ST_NOEXEC else None


def available() -> int:
    """The bytes of memory that the machine can give to programs."""
    found = re.search(r"^MemAvailable: +(\d+) kB$", MEMINFO.read_text(), re.MULTILINE)
    return int(found[1]) * 1024 if found else 0
