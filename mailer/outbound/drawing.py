"""Pictures are drawn in a process of their own, so that none holds up the mails or takes the sender
with it.

A drawing that hangs, runs out of memory or dies in a library of C ends that process and no other.
Whoever sends forks it when a picture has to be drawn, and keeps it while there are more: a fork
takes 10 ms, but the first picture of a board 150, and all later ones use what was painted for it.
A fresh interpreter would take as much memory, 25 MB beyond what its sender is spared, and 0.13 s
more for its imports.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import resource
import signal
import time
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from atlas import PhasePicture, Subject, phase_pictures
from games.errors import fault

logger = logging.getLogger(__name__)

LONGEST = 20
"""Seconds that the pictures of one phase may take: they take 0.04, the first of a large board 2."""
MEMORY = 512 << 20
"""Bytes of data that the process may have, those included that it shares with the sender."""
IDLE = 5.0
"""Seconds without a picture after which its sender ends the process; after twice as many it ends by
itself, for a sender may have nothing to do for long. A new one paints its boards anew."""
MOST_LOST = 3
"""So many processes lost one after the other, and we draw nothing for REST seconds."""
REST = 300.0


class NotDrawn(Exception):
    """There is no picture; the message says why and quotes nobody."""


class DrawingProcess:
    """The process that draws for this one. Use one for all that is drawn."""

    def __init__(self) -> None:
        self.pid = 0
        """The number of the process, 0 while nobody draws."""
        self._line: Connection | None = None
        self._used = 0.0
        self._lost = 0
        self._rests_until = 0.0

    def draw(
        self, subject: Subject, subtitle: str = "", influence: Mapping[str, str] | None = None
    ) -> tuple[PhasePicture, ...]:
        """Return what `atlas.phase_pictures` does. Raises NotDrawn, after LONGEST at the latest."""
        self.rest()
        self._used = time.monotonic()
        if self._used < self._rests_until:
            raise NotDrawn("too many drawings before it took too long or died")
        try:
            answer = self._answer(subject, subtitle, influence)
        except (EOFError, OSError) as error:
            self._lose()
            raise NotDrawn("the process that drew it died") from error
        self._lost = 0
        if isinstance(answer, str):
            raise NotDrawn(answer)
        return answer

    def _answer(self, *asked: object) -> tuple[PhasePicture, ...] | str:
        if self.pid and self._has_died():  # in its sleep, over nothing
            self.pid = 0
            self.end()
        line = self._line or self._started()
        line.send(asked)
        if not line.poll(LONGEST):
            raise EOFError
        answer: tuple[PhasePicture, ...] | str = line.recv()
        return answer

    def _started(self) -> Connection:
        line, theirs = Pipe()
        # Not by `multiprocessing`: it lets none of Celery's processes have children.
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _draw_all(theirs)
            finally:
                os._exit(0)
        theirs.close()
        self._line = line
        return line

    def _has_died(self) -> bool:
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] != 0
        except ChildProcessError:  # the system was told to bury our children for us
            return True

    def _lose(self) -> None:
        self._lost += 1
        if self._lost >= MOST_LOST:
            self._lost, self._rests_until = 0, time.monotonic() + REST
            logger.error("%d drawings failed in a row: none for %g s", MOST_LOST, REST)
        self.end()

    def rest(self) -> None:
        """End the process if nothing was drawn lately."""
        if self.pid and time.monotonic() - self._used > IDLE:
            self.end()

    def end(self) -> None:
        """End the process, whatever it is at."""
        pid, self.pid = self.pid, 0
        line, self._line = self._line, None
        if line:
            line.close()
        if pid:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _draw_all(asked: Connection) -> None:
    """Be the process: draw until nobody asks any more."""
    _be_alone(asked.fileno())
    with contextlib.suppress(EOFError, OSError):  # whoever asked is gone
        while asked.poll(2 * IDLE):
            what = asked.recv()
            # The system ends us in the midst of C, too, and when nobody is left to do so.
            signal.alarm(LONGEST)
            try:
                answer: object = phase_pictures(*what)
            except Exception as error:
                answer = fault(error)
            signal.alarm(0)
            asked.send(answer)


def _be_alone(line: int) -> None:
    """Let go of all that is the sender's, and be the first to go when memory runs out."""
    gc.freeze()  # no connection of theirs is found to be garbage and says goodbye; they stay shared
    os.closerange(3, line)
    os.closerange(line + 1, os.sysconf("SC_OPEN_MAX"))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for ours_no_more in (signal.SIGINT, signal.SIGTERM):  # the sender finishes, and we end with it
        signal.signal(ours_no_more, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))
    with contextlib.suppress(OSError):  # Linux
        Path("/proc/self/oom_score_adj").write_text("1000")


DRAWING = DrawingProcess()
draw = DRAWING.draw
