"""A fault that lasts must not fill the log: one warning a minute, with a count.

While the database is away, every job fails every few seconds, each with a trace of forty lines.
The first says all there is to know.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable

from diplomacy_server.discretion import causes, quotes_nobody

PERIOD = 60.0
"""How many seconds apart the same warning is written."""
OVER = 600.0
"""After this many seconds of silence a fault is new, and its trace is written again."""
MOST_KNOWN = 1000
"""How many different faults we remember, each with the time when it was last written."""
EACH_ONE = ("axes",)
"""Loggers whose every warning is written: fail2ban counts each wrong password."""
_DIGITS = re.compile(r"\d+")
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


class RepeatedFaults(logging.Filter):
    """Lets a warning or an error through once a minute; a repeated one becomes a single line."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether to write the record, and shorten it when it has been written before."""
        fault = _fault(record)
        if fault is None:
            return True
        with self._lock:
            now = self._clock()
            written, skipped = self._known.get(fault, (now - OVER, 0))
            if now - written < PERIOD:
                self._known[fault] = (written, skipped + 1)
                return False
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[fault] = (now, 0)
        if now - written < OVER:
            _shorten(record, skipped)
        return True


class RefusedRequests(logging.Filter):
    """Turns a request that we refuse into one warning: scanners send thousands, and Django logs
    each as an error with its trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let it through, without the trace unless the fault is ours."""
        if getattr(record, "status_code", 400) >= 500:
            return True
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info, record.exc_text = None, None
        return True


def _fault(record: logging.LogRecord) -> str | None:
    """Return what makes two records the same fault, None if a record is always written.

    Errors of the program are always written: each may be a different one, and they name mails and
    phases.
    """
    if record.levelno < logging.WARNING or record.name.partition(".")[0] in EACH_ONE:
        return None
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if error is None:
        return _TIME.sub("", f"{record.name} {record.getMessage()}")
    if not _is_from_outside(error):
        return None
    return _DIGITS.sub("", f"{type(error).__name__} {error}")


def _is_from_outside(error: BaseException) -> bool:
    """Say whether a network or the database failed."""
    return quotes_nobody(error) or any(
        type(one).__name__ == "InterfaceError" for one in causes(error)
    )


def _shorten(record: logging.LogRecord, skipped: int) -> None:
    """Make one line of a record that was written in full before."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    said = record.getMessage().splitlines()[0] if record.getMessage() else ""
    if error is not None:
        words = str(error).splitlines()[:1] if quotes_nobody(error) else []
        said = ": ".join(["It lasts", type(error).__name__, *words])
    more = f" ({skipped} more like this since the last such line)" if skipped else ""
    record.msg = said + more
    record.args, record.exc_info, record.exc_text = (), None, None
