"""The server under test as an operator runs it: separate processes, or one command again and again.

Both know the database, the broker and the mail servers from environment variables only.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from django.db import connection

from tests.conftest import JudgeMailbox

ROOT = Path(__file__).resolve().parents[2]


def database_url() -> str:
    """DATABASE_URL of the test database of this process."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    return "postgres://{USER}@{HOST}:{PORT}/{NAME}".format(**settings)


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
        **more,
    }


class Server:
    """Whatever does the server's duties."""

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
        asking.connect(ticker())
        asking.settimeout(120)
        asking.sendall(json.dumps({"environment": env, "arguments": arguments}).encode() + b"\n")
        answer = json.loads(asking.makefile().read())
    return int(answer["code"]), str(answer["words"])


@cache
def ticker() -> str:
    """The socket of the process from which commands are forked (tests/flows/ticker.py): one for all
    servers of this process, and it goes with it."""
    folder = tempfile.mkdtemp(prefix="ticker-")
    address = f"{folder}/socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.flows.ticker", str(listening.fileno())],
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "diplomacy_server.settings"},
            stdin=subprocess.PIPE,
            pass_fds=[listening.fileno()],
        )
    atexit.register(shutil.rmtree, folder)
    atexit.register(process.communicate, timeout=60)  # it ends with its input
    return address


class Processes(Server):
    """Poller, Celery worker and beat, each a process of its own."""

    COMMANDS = {
        "poller": ["manage.py", "poll_mail"],
        "worker": [
            *("-m", "celery", "-A", "diplomacy_server.celery", "worker"),
            *("--concurrency", "2", "--loglevel", "WARNING", "--without-gossip"),
        ],
        "beat": ["-m", "diplomacy_server.beat"],
    }

    def __init__(self, env: dict[str, str], folder: Path) -> None:
        super().__init__(env)
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        for name in self.COMMANDS:
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
                [sys.executable, *self.COMMANDS[name]],
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
