"""Processes that are killed without warning and started again, as an init system does it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.servers.process import PR_SET_PDEATHSIG, STOP_SECONDS, Server

ROOT = Path(__file__).resolve().parents[2]
RESTART_SECONDS = 2.0
"""systemd's RestartSec: so long what ended by itself stays down."""
SERVER_START_SECONDS = 120.0

_libc = ctypes.CDLL(None, use_errno=True)


def children(pid: int) -> list[int]:
    """The processes that this one started and that still run."""
    return [child for child, parent in _parents().items() if parent == pid]


def family(pid: int) -> list[int]:
    """The process and all that it started, directly or not. Sessions and groups do not tell:
    PostgreSQL's processes each have their own."""
    parents, found = _parents(), [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def _parents() -> dict[int, int]:
    """Each running process's parent (proc_pid_stat(5): what stands behind the name's bracket)."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(folder.name)] = int(parent)
    return parents


def kill_family(process: subprocess.Popen[bytes]) -> None:
    """kill -9 for a process and all that it started, in one moment."""
    for pid in family(process.pid):
        kill(pid)
    process.wait()


def kill_together(programs: Collection[Program]) -> None:
    """kill -9 for several programs and all that they started, in one moment."""
    running = [one.process for one in programs if one.process]
    for pid in [pid for process in running for pid in family(process.pid)]:
        kill(pid)
    for process in running:
        process.wait()
    for one in programs:
        one.process = None


def kill(pid: int) -> None:
    """kill -9, unless it is gone already."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Program:
    """One of our own programs: `arguments` are those of Python."""

    def __init__(self, name: str, arguments: Sequence[str], env: dict[str, str], folder: Path):
        self.name = name
        self.arguments = arguments
        self.env = env
        self.log = folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.ended_at = 0.0

    def start(self) -> None:
        """Start it and return at once."""
        self.ended_at = 0.0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self.arguments],
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with_us,
            )

    def kill(self) -> None:
        """As a power cut would."""
        process, self.process = self.process, None
        if process:
            kill_family(process)

    def terminate(self) -> None:
        """Ask it to end."""
        if self.process:
            self.process.terminate()

    def stop(self) -> None:
        """Ask it to end; what does not listen is killed."""
        process = self.process
        if process:
            self.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
        self.kill()

    def restart_if_ended(self) -> int | None:
        """Start it again some time after it ended by itself; the exit code when it just did."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        if not self.ended_at:
            self.ended_at = time.monotonic()
            return code
        if time.monotonic() - self.ended_at > RESTART_SECONDS:
            self.start()
        return None


def _die_with_us() -> None:
    """In the child, before exec: nothing outlives a killed run."""
    _libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def kill_server(server: Server) -> None:
    """As a power cut would, whatever groups its processes are in."""
    process, server.process = server.process, None
    if process:
        kill_family(process)


def start_server(server: Server) -> None:
    """Start it and return once it answers; what a kill left behind may keep it from that at first.

    Raises RuntimeError when it does not come back.
    """
    end = time.monotonic() + SERVER_START_SECONDS
    while True:
        try:
            server.start()
        except RuntimeError:
            server.stop()
            if time.monotonic() > end:
                raise
            time.sleep(0.5)
        else:
            return
