"""What reading one mail may cost, whoever wrote it, in bytes, parts, depth, text and time.

The bounds hold before the work is done, not after it. What exceeds them is left out, and the sender
is told.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LARGEST = 256 * 1024
"""How many bytes of a mail are fetched, stored and read. The text comes first; photographs follow
it."""

MOST_PARTS = 200
DEEPEST = 20
"""How deeply parts may be nested: a parser of mails calls itself for each level."""

MOST_WORK = 2_000_000
"""Lines times boundaries: a parser compares every line with every boundary that is open."""

LONGEST_LINE = 998
"""RFC 5322, 2.1.1: no line of a mail may be longer."""

LONGEST_HEADER = 20 * LONGEST_LINE
LONGEST_CONTENT_HEADER = 2 * LONGEST_LINE
"""Python's reader of parameters takes quadratic time over them; a long file name has 1,000."""

LONGEST_TEXT = 64 * 1024
MOST_LINES = 2000

READING_SECONDS = 2.0
"""Processor time for one mail. The slowest letter of a person takes a tenth of a second."""


class TooMuch(Exception):
    """A mail exceeds a bound; the message says why, as half a sentence for its sender."""


class _OutOfTime(BaseException):
    """No Exception, or a library that catches those would swallow it and go on."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TooMuch in a block that takes more processor time than this.

    It needs a signal, which Python delivers only to the main thread. Celery's prefork workers and
    management commands work there; in other threads there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    try:
        earlier = signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, *earlier)
    except _OutOfTime:
        raise TooMuch("because it took too long") from None
    finally:
        signal.signal(signal.SIGPROF, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise _OutOfTime
