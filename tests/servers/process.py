"""One private server process: found, started, asked until it answers, stopped."""

from __future__ import annotations

import contextlib
import ctypes
import grp
import itertools
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

READY_SECONDS = 60.0
STOP_SECONDS = 20.0
PR_SET_PDEATHSIG = 1  # linux/prctl.h

_libc = ctypes.CDLL(None, use_errno=True)


class MissingServer(Exception):
    """A program that the tests need is not on this machine; the message says what to install."""


@dataclass(frozen=True)
class Account:
    """Whom a server runs as."""

    name: str
    group: str
    uid: int
    gid: int

    @classmethod
    def unprivileged(cls) -> Account:
        """The caller, or `nobody` when the caller is root (TEST_SERVER_USER overrides)."""
        if os.geteuid() == 0:
            entry = pwd.getpwnam(os.environ.get("TEST_SERVER_USER", "nobody"))
        else:
            entry = pwd.getpwuid(os.geteuid())
        group = grp.getgrgid(entry.pw_gid).gr_name
        return cls(entry.pw_name, group, entry.pw_uid, entry.pw_gid)

    def drop(self) -> dict[str, Any]:
        """Popen's arguments that turn root into this account; nothing for anybody else."""
        if os.geteuid() != 0:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Give a file or folder to this account; only root can and needs to."""
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.gid)


# Below those that the kernel gives to connections (from 32768 on Linux): a port that a server is
# about to listen on, or will listen on again, is given to nobody meanwhile. No port comes twice.
_PORTS = range(10_000, 32_000)


@cache
def _order() -> Iterator[int]:
    """An order of this process's own, drawn when somebody asks, by one number of the system's: to
    ask the system for each port took each process, those forked too, 30,000 calls.
    """
    chance = random.Random(os.urandom(32))
    return itertools.cycle(chance.sample(_PORTS, len(_PORTS)))


# Two processes that go on with one order would be given the same ports at the same time.
os.register_at_fork(after_in_child=_order.cache_clear)


def free_ports(count: int) -> list[int]:
    """So many loopback ports on which nobody listens, all different."""
    return list(itertools.islice(filter(_is_free, _order()), count))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def program(name: str, package: str) -> str:
    """The full path of a server's program: the system's own before whatever PATH has.

    Raises MissingServer, naming the Debian package, when there is none.
    """
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_by_version, reverse=True)
    folders = ["/usr/sbin", "/usr/bin", *map(str, versions), os.environ.get("PATH", "")]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        raise MissingServer(f"{name} is not installed (Debian: apt-get install {package})")
    return found


def _by_version(bin_folder: Path) -> int:
    number = bin_folder.parent.name.partition(".")[0]
    return int(number) if number.isdigit() else 0


def wait_until(answers: Callable[[], bool], what: str, seconds: float = READY_SECONDS) -> None:
    """Ask until the answer is yes; TimeoutError after `seconds`."""
    end = time.monotonic() + seconds
    while not answers():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not happen within {seconds:g} s")
        time.sleep(0.02)


class Server:
    """A server that this process started, in a folder of its own.

    A subclass names the program, writes its files in `prepare`, and says in `answers` by the
    server's own protocol whether it is ready.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM

    def __init__(self) -> None:
        self.account = Account.unprivileged()
        # Not under pytest's folder: that one is closed to the unprivileged account, and a Unix
        # socket's path must stay below 108 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix=f"{self.name.lower()}-"))
        self.account.own(self.folder)
        self.process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Write the configuration; called once, before the first start."""

    def command(self) -> list[str]:
        """The command line, staying in the foreground."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether the server does its work now."""
        raise NotImplementedError

    @property
    def log(self) -> Path:
        """What the server wrote to its standard output and error."""
        return self.folder / "output.log"

    def make_folder(self, name: str) -> Path:
        """A folder inside the server's own that its account may write to."""
        path = self.folder / name
        path.mkdir(mode=0o700, exist_ok=True)
        self.account.own(path)
        return path

    def run(self, *argv: str) -> None:
        """Run a helper program of this server as its account; raises when it fails."""
        done = subprocess.run(
            argv, cwd=self.folder, capture_output=True, check=False, **self.account.drop()
        )
        if done.returncode:
            raise RuntimeError(f"{argv[0]}: {done.stderr.decode(errors='replace').strip()}")

    def start(self) -> None:
        """Start the process and return once it answers; the same ports at every start."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
                start_new_session=True,
                preexec_fn=self._die_with_the_tests,
                **self.account.drop(),
            )
        try:
            wait_until(self._ready, f"{self.name} answering")
        except TimeoutError as error:
            raise RuntimeError(f"{error}: {self._last_words()}") from error

    def _die_with_the_tests(self) -> None:
        """In the child, before exec: no server outlives a killed test run."""
        _libc.prctl(PR_SET_PDEATHSIG, int(self.stop_signal), 0, 0, 0)

    def _ready(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(
                f"{self.name} ended with {self.process.returncode}: {self._last_words()}"
            )
        return self.answers()

    def _last_words(self) -> str:
        return self.log.read_text(errors="replace")[-2000:]

    def stop(self) -> None:
        """End the process and everything it started; harmless when it does not run."""
        process, self.process = self.process, None
        if process is None:
            return
        process.send_signal(self.stop_signal)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            # Whatever is left of the session that `start` opened for it.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def kill(self) -> None:
        """Kill the process as a power cut would."""
        process, self.process = self.process, None
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def __enter__(self) -> Self:
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
