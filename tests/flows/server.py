"""The server under test as an operator runs it: separate processes, or one command again and again.

Both know the database, the broker and the mail servers from environment variables only.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from django.db import connection

from tests.conftest import JudgeMailbox
from tests.migrated import ROOT, one_at_a_time, shared


def database_url() -> str:
    """DATABASE_URL of the test database of this process."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    host = urlsplit(os.environ["DATABASE_URL"]).hostname  # not where our own connection is
    return f"postgres://{settings['USER']}@{host}:{settings['PORT']}/{settings['NAME']}"


def environment(mailbox: JudgeMailbox, folder: Path, **more: str) -> dict[str, str]:
    """What the server's processes are told."""
    return {
        **os.environ,
        "DATABASE_URL": database_url(),
        "IMAP_URL": mailbox.imap_url,
        "EMAIL_URL": mailbox.smtp.url,
        "JUDGE_ADDRESS": mailbox.address,
        "VAR_DIR": str(folder),
        "PYTHONPATH": str(ROOT),
        "POLL_SECONDS": "2",
        "TICK_SECONDS": "0.5",
        "MAIL_RETRY_SECONDS": "1",
        "LOG_LEVEL": "WARNING",
        "SMALL_MACHINE": "0",
        **more,
    }


class Server:
    """Whatever does the server's jobs."""

    def __init__(self, env: dict[str, str]) -> None:
        self.env = env

    def turn(self) -> None:
        """Let the server do what there is to do."""
        raise NotImplementedError

    def manage(self, *arguments: str) -> str:
        """Run one management command; what it wrote. Fails with that."""
        words = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            words, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout


class Ticking(Server):
    """No broker, no worker: `manage.py tick`, as cron would call it."""

    def manage(self, *arguments: str) -> str:
        """The same in a process that is forked (tests/flows/ticker.py)."""
        code, words = forked(self.env, *arguments)
        assert code == 0, f"{arguments}: {words}"
        return words

    def turn(self) -> None:
        self.manage("tick")


def forked(env: dict[str, str], *arguments: str) -> tuple[int, str]:
    """Run a management command as a process of its own would; its exit code and all it wrote."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(str(ticker()))
        asking.settimeout(120)
        asking.sendall(json.dumps({"environment": env, "arguments": arguments}).encode() + b"\n")
        answer = json.loads(asking.makefile().read())
    return int(answer["code"]), str(answer["words"])


@cache
def ticker() -> Path:
    """The socket of the process from which commands are forked (tests/flows/ticker.py): one for all
    processes of a run, since to load the code takes it more than a second. It ends with the last of
    those that hold its leash."""
    address, leash = shared() / "ticker.socket", shared() / "ticker.leash"
    with one_at_a_time("ticker"):
        if not leash.exists():
            _start_ticker(address, leash)
        os.open(leash, os.O_WRONLY | os.O_NONBLOCK)  # held until this process ends
    return address


def _start_ticker(address: Path, leash: Path) -> None:
    """Start it where nobody has. It is not waited for: others of the run may need it longer, and
    what it writes is no output of this process."""
    os.mkfifo(leash)
    address.unlink(missing_ok=True)
    argv = [sys.executable, "-m", "tests.flows.ticker", str(leash)]
    with (
        socket.socket(socket.AF_UNIX) as listening,
        open(os.open(leash, os.O_RDONLY | os.O_NONBLOCK), "rb") as held,
        address.with_suffix(".log").open("ab") as log,
    ):
        listening.bind(str(address))
        listening.listen()
        started = subprocess.Popen(
            [*argv, str(listening.fileno())],
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "diplomacy_server.settings"},
            stdin=held,
            stdout=log,
            stderr=log,
            pass_fds=[listening.fileno()],
        )
    started.returncode = 0  # else Python warns of a child that runs on


class Processes(Server):
    """Poller, worker and, where it has a port, the web server: each as its unit has it."""

    def __init__(self, env: dict[str, str], folder: Path, web_port: int = 0) -> None:
        super().__init__(env)
        self.commands = {
            "poller": ["manage.py", "poll_mail"],
            "worker": ["-m", "diplomacy_server.worker"],
        }
        if web_port:
            bind = ["--bind", f"127.0.0.1:{web_port}"]
            self.commands["web"] = ["-m", "diplomacy_server.web", *bind]
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        for name in self.commands:
            self.start(name)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        for process in self.running.values():
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                if kind is None:
                    raise

    def start(self, name: str) -> None:
        """Start one of the processes."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, *self.commands[name]],
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self, name: str) -> None:
        """kill -9 for one of the processes and its children."""
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def turn(self) -> None:
        for name, process in self.running.items():
            assert process.poll() is None, f"the {name} has ended: {self.log(name)[-3000:]}"
        time.sleep(0.1)


def eventually(server: Server, look: Callable[[], Any], what: str, seconds: float = 120) -> Any:
    """Let the server work until `look` returns something true, and return that."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"{what}: not within {seconds:g} s"
        server.turn()
    return found
