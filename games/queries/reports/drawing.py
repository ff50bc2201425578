"""PNGs are drawn in a process of their own, so that none holds up the mails or brings down the
sender or the web server, and what it takes to paint them is given back.

A drawing that hangs, runs out of memory or dies in a library of C ends that process and no other.
One such process draws for a whole service: for the process that loaded this module and all those
forked from it, which share the line on which they ask. The first to ask while nobody draws forks
it. It stays while there is more to draw: a fork takes 10 ms, but the first picture of a board 150,
and later ones use what was painted for that.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import logging
import os
import resource
import select
import signal
import socket
import threading
import time
from collections.abc import Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from atlas import Heading, PhasePicture, Subject, View, draw, phase_pictures
from games.errors import fault

logger = logging.getLogger(__name__)

LONGEST = 20
"""How many seconds the pictures of one phase may take: they take 0.04, the first of a large board
2."""
MEMORY = 448 << 20
"""How many bytes of data the process may have beyond those it shares with the process that forked
it."""
BOARDS = 2
"""Once pages have asked for more boards than these, the process ends, and the next one starts with
none: a crawler asks for every map, and each leaves 3 MB or more."""
IDLE = 5.0
"""After how many seconds without a picture the process ends. A new one paints its boards again."""
LOOK = 0.1
"""After how many seconds a process that waits for its turn checks whether anybody is drawing at
all."""
NO_HEADING = Heading()
_ON_PAGES: set[str] = set()
"""The variants of which this process drew pictures for pages."""
MOST_LOST = 3
"""If this many pictures are lost in a row, we ask for none for REST seconds."""
REST = 300.0
"""In seconds."""


class NotDrawn(Exception):
    """There is no picture; the message says why and quotes nobody."""


class DrawingProcess:
    """The process that draws for this one and for all that were forked with this object."""

    def __init__(self) -> None:
        self.pid = 0
        """The number of the drawing process if we forked it, otherwise 0."""
        self._forking = threading.Lock()
        self._asking, self._asked = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        """The line on which a process that wants a picture sends one end of another, made for that
        picture alone. The drawing process has the second end locked, since a lock goes with its
        process, however that ends."""
        self._asking.setblocking(False)  # noqa: FBT003
        self._lost = 0
        self._rests_until = 0.0

    def draw(
        self, subject: Subject, subtitle: str = "", influence: Mapping[str, str] | None = None
    ) -> tuple[PhasePicture, ...]:
        """Return what `atlas.phase_pictures` does. Raises NotDrawn."""
        pictures: tuple[PhasePicture, ...] = self._ask("phase", subject, subtitle, influence)
        return pictures

    def png(
        self,
        subject: Subject,
        view: View,
        heading: Heading = NO_HEADING,
        influence: Mapping[str, str] | None = None,
        width: int | None = None,
    ) -> bytes:
        """Return the PNG of what `atlas.draw` draws. Raises NotDrawn."""
        png: bytes = self._ask("one", subject, view, heading, influence, width)
        return png

    def _ask(self, *what: object) -> Any:
        """Return what `_drawn` does over there.

        Raises NotDrawn at the latest LONGEST after our turn came or, if it does not come, twice
        that after we asked.
        """
        if time.monotonic() < self._rests_until:
            raise NotDrawn("too many drawings before it took too long or died")
        try:
            with self._turn() as line:
                line.send(what)
                if not line.poll(LONGEST):
                    raise EOFError
                answer = line.recv()
        except (EOFError, OSError) as error:
            self._lose()
            raise NotDrawn("the process that drew it died") from error
        self._lost = 0
        if isinstance(answer, str):
            raise NotDrawn(answer)
        return answer

    def _turn(self) -> Connection:
        """Return a line to the drawing process, as soon as it has time for us; if it dies over
        another's picture, to the next one."""
        ours, theirs = Pipe()
        with theirs:
            socket.send_fds(self._asking, [b"?"], [theirs.fileno()])
        end = time.monotonic() + 2 * LONGEST
        self._have_somebody_draw()
        while not ours.poll(LOOK):
            if time.monotonic() > end:
                raise EOFError
            self._have_somebody_draw()
        ours.recv()
        return ours

    def _have_somebody_draw(self) -> None:
        with self._forking:  # threads of the web server may ask at once
            self.bury()
            if self.pid or _is_locked(self._asked):
                return
            # Not with `multiprocessing`, which lets none of Celery's processes have children.
            self.pid = os.fork()
            if self.pid == 0:
                try:
                    _draw_all(self._asked)
                finally:
                    os._exit(0)

    def bury(self) -> None:
        """Let go of the process that we forked if it has ended."""
        with contextlib.suppress(ChildProcessError):  # buried by another, or our parent's child
            if not self.pid or os.waitpid(self.pid, os.WNOHANG)[0] == 0:
                return
        self.pid = 0

    def _lose(self) -> None:
        self._lost += 1
        if self._lost >= MOST_LOST:
            self._lost, self._rests_until = 0, time.monotonic() + REST
            logger.error("%d drawings failed in a row: none for %g s", MOST_LOST, REST)


def _is_locked(asked: socket.socket) -> bool:
    if is_ours := _lock(asked):
        fcntl.lockf(asked, fcntl.LOCK_UN)
    return not is_ours


def _lock(asked: socket.socket) -> bool:
    try:
        fcntl.lockf(asked, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _draw_all(asked: socket.socket) -> None:
    """Be that process: draw one phase after another, until nobody has asked for a while."""
    _be_alone(asked.fileno())
    if not _lock(asked):  # another was faster
        return
    while select.select([asked], [], [], IDLE)[0]:
        _, lines, _, _ = socket.recv_fds(asked, 1, 1)
        if not lines:  # nobody is left who could ask
            return
        # The system ends us, even in the middle of C code, when nobody else is left to do so.
        signal.alarm(LONGEST)
        with contextlib.suppress(EOFError, OSError), Connection(lines[0]) as line:
            _draw_for(line)
        signal.alarm(0)
        if len(_ON_PAGES) > BOARDS:
            return


def _draw_for(line: Connection) -> None:
    """Draw one phase. Raises EOFError or OSError if the process that asked is gone."""
    line.send("your turn")
    what = line.recv()
    try:
        answer: object = _drawn(*what)
    except Exception as error:
        answer = fault(error)
    line.send(answer)


def _drawn(kind: Literal["phase", "one"], subject: Subject, *given: Any) -> object:
    """Draw what `draw` or `png` asks for."""
    if kind == "phase":
        return phase_pictures(subject, *given)
    view, heading, influence, width = given
    _ON_PAGES.add(subject.position.variant.name)
    return draw(subject, view, heading, influence).png(width)


def _be_alone(line: int) -> None:
    """Let go of everything that is the sender's, and be the first to go when memory runs out."""
    gc.freeze()  # no connection of theirs is found to be garbage and says goodbye; they stay shared
    os.closerange(3, line)
    os.closerange(line + 1, os.sysconf("SC_OPEN_MAX"))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for ours_no_more in (signal.SIGINT, signal.SIGTERM):  # the senders finish, and we end with them
        signal.signal(ours_no_more, signal.SIG_IGN)
    _limit_memory()
    with contextlib.suppress(OSError):  # Linux
        Path("/proc/self/oom_score_adj").write_text("1000")


def _limit_memory() -> None:
    """Allow MEMORY beyond what we have.

    A fixed sum would leave a process forked by a large one nothing to draw with, because what they
    share counts, too (setrlimit(2), RLIMIT_DATA).
    """
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = _data_of_ours() + MEMORY
    if most != resource.RLIM_INFINITY:
        allowed = min(allowed, most)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))


def _data_of_ours() -> int:
    """Return the bytes that RLIMIT_DATA counts (proc(5), VmData); 0 if nobody says how many."""
    with contextlib.suppress(OSError):  # Linux
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) << 10
    return 0


DRAWING = DrawingProcess()
