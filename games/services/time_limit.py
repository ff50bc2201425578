"""How long one mail or one phase may keep the processor, whatever somebody wrote into it.

A signal comes every few hundredths of a second of processor time; what waits for a lock or for the
network has all the time it needs. Work whose time is up is stopped by an exception in whatever it
is doing, even in the middle of a regular expression. Only where it talks to the database it goes on
until the answer is there, and is stopped before the next statement: stopped halfway, a connection
would be of no use to the next mail.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self

from django.db import connection

TICK = 0.05
"""Seconds of processor time between two looks. No ordinary mail lives to see one."""
_LEFT_ALONE = (__name__, "django.db", "psycopg", "importlib")
"""Modules that are never stopped halfway, each with those inside it. A module whose import was
stopped would be half there."""
_ENDS = ("django.db.transaction",)
"""Where a statement ends a transaction, or goes back to a savepoint."""


class TookTooLong(Exception):
    """Work was stopped because its time was up."""


class _OutOfTime(BaseException):
    """No Exception, or whatever catches those would swallow it and go on."""

    def __init__(self, limit: TimeLimit) -> None:
        super().__init__()
        self.limit = limit


class TimeLimit:
    """A block that raises TookTooLong after this many seconds of processor time.

    Put it inside the transaction or the savepoint that is to be undone then. Limits may be nested.
    One that is entered again has what is left of its seconds.

    It needs a signal, which Python delivers only to the main thread. Celery's prefork and solo
    workers and management commands work there. In other threads, and where something else uses
    SIGPROF, there is no limit.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = 0.0
        self._frame: FrameType | None = None
        self._is_up = False

    def __enter__(self) -> Self:
        if _has_signal():
            self._until, self._is_up = time.thread_time() + self.seconds, False
            self._frame = sys._getframe(1)
            if not _LIMITS:
                signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
            _LIMITS.append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._frame is None:
            return
        self._frame = None
        self.seconds = self._until - time.thread_time()
        _LIMITS.remove(self)
        if self._before_statement in connection.execute_wrappers:
            connection.execute_wrappers.remove(self._before_statement)
        if not _LIMITS:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if isinstance(error, _OutOfTime) and error.limit is self:
            raise TookTooLong().with_traceback(_to_the_work(traceback)) from None
        if self._is_up and (error is None or isinstance(error, Exception)):
            raise TookTooLong from error  # something swallowed it, and went on

    def look(self, frame: FrameType | None) -> None:
        """If the time is up, stop whatever runs in this frame, or its next statement."""
        if time.thread_time() < self._until:
            return
        if self._is_inside(frame, _LEFT_ALONE):
            self._stop()
        if self._before_statement not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._before_statement)

    def _before_statement(self, execute: Callable[..., Any], *statement: Any) -> Any:
        if not self._is_up and self._is_inside(sys._getframe(1), _ENDS):
            self._stop()
        return execute(*statement)

    def _stop(self) -> NoReturn:
        self._is_up = True
        raise _OutOfTime(self)

    def _is_inside(self, frame: FrameType | None, left_alone: Sequence[str]) -> bool:
        """Whether the frame is part of our block, and none between is to be left alone."""
        while frame and frame is not self._frame:
            name = frame.f_globals.get("__name__") or ""
            if any(name == one or name.startswith(f"{one}.") for one in left_alone):
                return False
            frame = frame.f_back
        return frame is not None


_LIMITS: list[TimeLimit] = []
"""Those that hold now, the outermost first."""


def _has_signal() -> bool:
    """Whether SIGPROF comes to us. Once it does it always will: left to itself, one that comes late
    would end the process."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if signal.getsignal(signal.SIGPROF) is signal.SIG_DFL:
        signal.signal(signal.SIGPROF, _look)
    return signal.getsignal(signal.SIGPROF) is _look


def _look(number: int, frame: FrameType | None) -> None:
    for limit in _LIMITS:
        limit.look(frame)


def _to_the_work(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback without our own frames, so that it ends where the work was stopped."""
    last = traceback
    while last and last.tb_next:
        if last.tb_next.tb_frame.f_code is _look.__code__:
            last.tb_next = None
        else:
            last = last.tb_next
    return traceback
