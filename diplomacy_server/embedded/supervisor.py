"""Starts the processes of `make run`, restarts one that breaks, and ends them all.

The children are one process group led by the keeper, so that one signal reaches all of them and
none can stay behind. Everything they print goes to `var/log/<name>.log`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import IO

from django.conf import settings

from diplomacy_server.embedded import plan
from diplomacy_server.embedded.plan import Program

START_SECONDS = 60.0
STOP_SECONDS = 4.0
# If a process ends this often within this time, starting it again does not help.
MOST_RESTARTS, RESTART_SECONDS = 4, 60.0
RESTART_PAUSE = 1.0
LOG_BYTES = 5_000_000


class CannotStart(Exception):
    """Why the server cannot run; the message is for the console."""


class StopRequested(Exception):
    """Somebody wants the server to stop."""


class Group:
    """The running processes."""

    def __init__(self, log_folder: Path, environment: dict[str, str]) -> None:
        self._logs = log_folder
        self._environment = environment
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._services: set[str] = set()
        self._restarts: defaultdict[str, deque[float]] = defaultdict(deque)
        # Our end stays open, inherited by nobody, for as long as this process lives.
        keepers_end, lifeline = os.pipe()
        self._lifeline: int | None = lifeline
        self._keeper = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("keeper.py")), str(keepers_end)],
            pass_fds=[keepers_end],
            stdin=subprocess.DEVNULL,
            process_group=0,
        )
        os.close(keepers_end)

    def start(self, program: Program) -> subprocess.Popen[bytes]:
        """Start a process in the group."""
        with self._log(program.name) as log:
            process = subprocess.Popen(
                program.arguments,
                cwd=settings.BASE_DIR,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=self._keeper.pid,
            )
        self._running[program.name] = process
        if program.service:
            self._services.add(program.name)
        return process

    def run_once(self, program: Program) -> None:
        """Run a process to its end; raise CannotStart with its last words if it fails."""
        code = self.start(program).wait()
        del self._running[program.name]
        if code:
            raise CannotStart(f"The step “{program.name}” failed:\n{self._last_words(program)}")

    def watch(self, program: Program) -> None:
        """Restart a process that has ended; raise CannotStart if it ends again and again."""
        process = self._running[program.name]
        if process.poll() is None:
            return
        times = self._restarts[program.name]
        times.append(time.monotonic())
        while times[0] < times[-1] - RESTART_SECONDS:
            times.popleft()
        if len(times) > MOST_RESTARTS:
            raise CannotStart(
                f"“{program.name}” ended {len(times)} times within a minute:\n"
                f"{self._last_words(program)}"
            )
        say(f"“{program.name}” ended ({process.returncode}) and is started again.")
        time.sleep(RESTART_PAUSE)
        self.start(program)

    def process(self, program: Program) -> subprocess.Popen[bytes]:
        """Return the running process of a program."""
        return self._running[program.name]

    def require_keeper(self) -> None:
        """Raise CannotStart if the keeper is gone: nobody would end the others after us."""
        if self._keeper.poll() is not None:
            raise CannotStart("The keeper of the process group was killed: everything is stopped.")

    def stop(self) -> None:
        """End every process of the group: ask first, then force. A second call does nothing."""
        if self._lifeline is None:
            return
        give_up = time.monotonic() + STOP_SECONDS
        for wave in (self._running.keys() - self._services, self._services):
            self._ask_to_end([self._running[name] for name in wave], give_up)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._keeper.pid, signal.SIGKILL)
        for process in (*self._running.values(), self._keeper):
            process.wait()
        os.close(self._lifeline)
        self._lifeline = None

    def _ask_to_end(self, processes: list[subprocess.Popen[bytes]], give_up: float) -> None:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, give_up - time.monotonic()))

    def _log(self, name: str) -> IO[bytes]:
        path = self._logs / f"{name}.log"
        if path.exists() and path.stat().st_size > LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
        return path.open("ab")

    def _last_words(self, program: Program) -> str:
        path = self._logs / f"{program.name}.log"
        lines = path.read_text(errors="replace").splitlines()[-12:]
        return "\n".join(f"    {line}" for line in [*lines, f"(all of it: {path})"])


def say(text: str) -> None:
    """Print for the person at the console."""
    print(text, flush=True)


@contextlib.contextmanager
def only_one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a lock that the operating system drops with the process, however it ends.

    Raises CannotStart if another server holds it.
    """
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotStart(
                f"The server already runs on {settings.VAR_DIR}: see {settings.SITE_URL}/\n"
                "Stop it with Ctrl-C in its window first."
            ) from error
        yield


def check_ports() -> None:
    """Raise CannotStart and name every port that another program holds."""
    taken = [port for port in plan.ports() if not port.is_free()]
    if taken:
        lines = [f"Port {port.number} for the {port.purpose} is taken." for port in taken]
        other = " ".join(f"{port.variable}={port.number + 1000}" for port in taken)
        lines.append(f"Stop the program that has it, or choose another: {other} make run")
        raise CannotStart("\n".join(lines))


def wait_until_ready(group: Group, programs: tuple[Program, ...]) -> None:
    """Wait until every port answers."""
    deadline = time.monotonic() + START_SECONDS
    while not all(port.answers() for port in plan.ports()):
        if time.monotonic() > deadline:
            raise CannotStart(f"The server did not come up; see {settings.VAR_DIR / 'log'}")
        for program in programs:
            group.watch(program)
        time.sleep(0.1)


def run(*, opened: Callable[[], None]) -> None:
    """Start everything, call `opened` once it can be used, and keep it running until stopped.

    Raises StopRequested at the end, or CannotStart.
    """
    log_folder = settings.VAR_DIR / "log"
    log_folder.mkdir(exist_ok=True)
    with only_one_at_a_time(settings.VAR_DIR / "run.lock"):
        check_ports()
        plan.broker_socket().unlink(missing_ok=True)
        group = Group(log_folder, plan.environment())
        try:
            plan.admin_password()
            group.run_once(plan.preparation())
            programs = plan.programs()
            for program in programs:
                group.start(program)
            wait_until_ready(group, programs)
            opened()
            _watch_for_ever(group, programs)
        finally:
            _ignore_signals()
            group.stop()
            plan.broker_socket().unlink(missing_ok=True)


def _watch_for_ever(group: Group, programs: tuple[Program, ...]) -> None:
    parent = os.getppid()
    while True:
        time.sleep(0.5)
        # make itself may be killed without telling us.
        if "MAKELEVEL" in os.environ and os.getppid() != parent:
            raise StopRequested
        group.require_keeper()
        for program in programs:
            group.watch(program)


STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def stop_at_signals() -> None:
    """Let Ctrl-C, `kill` and a closed window end the server in the same orderly way."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise StopRequested

    for number in STOP_SIGNALS:
        signal.signal(number, stop)


def _ignore_signals() -> None:
    # An impatient second Ctrl-C must not leave half of the processes behind.
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
