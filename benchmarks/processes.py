"""The server as it runs in production: mails per second through all processes, memory of each.

    python -m benchmarks.processes --mails 200

Poller, Celery worker (two processes) and web on private PostgreSQL, Redis, Dovecot and SMTP.
Counts from the start of the processes to the last receipt taken by the SMTP server.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.servers import DurablePostgres, measured
from tests.mailer.sink import running_sink
from tests.servers import Dovecot, Redis
from tests.servers.process import free_ports

LONGEST = 600.0
COMMON = Path(__file__).parents[1] / "deploy/systemd/diplomacy-.service.d/10-common.conf"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--mails", type=int, default=200)
    mails = options.parse_args().mails
    with ExitStack() as stack:
        sink = stack.enter_context(running_sink())
        environment = {
            "DATABASE_URL": stack.enter_context(DurablePostgres()).create("benchmark"),
            "CELERY_BROKER_URL": stack.enter_context(Redis()).url,
            "IMAP_URL": stack.enter_context(Dovecot()).url("judge@game.test"),
            "EMAIL_URL": sink.url,
            "JUDGE_ADDRESS": "judge@game.test",
            "VAR_DIR": stack.enter_context(tempfile.TemporaryDirectory()),
        }
        measured("benchmarks.mail_worker", "--mails", str(mails), "--only-fill", **environment)
        begun = time.monotonic()
        running = stack.enter_context(processes(environment))
        while len(sink.taken) < mails and time.monotonic() < begun + LONGEST:
            time.sleep(0.1)
        print(f"{len(sink.taken) / (time.monotonic() - begun):.1f} mails answered per second")
        for name, process in running.items():
            megabytes = [peak_memory(pid) for pid in family(process.pid)]
            print(f"{name:8} " + ", ".join(f"{one:.0f} MB" for one in megabytes))
        print(f"together {memory_together(running.values()):.0f} MB")


@contextmanager
def processes(environment: dict[str, str]) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Start the processes of an installation as deploy/systemd has them, and stop them at the
    end."""
    (port,) = free_ports(1)
    commands = {
        "poller": ("manage.py", "poll_mail"),
        "worker": ("-m", "diplomacy_server.worker"),
        "web": ("-m", "diplomacy_server.web", "-b", f"127.0.0.1:{port}"),
    }
    env = os.environ | environment | sparing() | {"LOG_LEVEL": "ERROR"}
    running = {
        name: subprocess.Popen([sys.executable, *command], env=env, stderr=subprocess.DEVNULL)
        for name, command in commands.items()
    }
    try:
        yield running
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait(30)


def sparing() -> dict[str, str]:
    """Return the variables that have an installation's services give memory back (mallopt(3))."""
    lines = COMMON.read_text().splitlines()
    set_there = " ".join(line for line in lines if line.startswith("Environment="))
    words = set_there.replace("Environment=", "").split()
    return dict(word.split("=", 1) for word in words if word.startswith("MALLOC_"))


def family(pid: int) -> list[int]:
    """Return the process, its children and theirs, if they are alive."""
    if "State:\tZ" in Path(f"/proc/{pid}/status").read_text():
        return []
    of_threads = Path(f"/proc/{pid}/task").glob("*/children")
    children = [child for path in of_threads for child in path.read_text().split()]
    return [pid, *(each for child in children for each in family(int(child)))]


def peak_memory(pid: int) -> float:
    """Return the largest resident size so far, in MB (VmHWM of proc(5))."""
    status = Path(f"/proc/{pid}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 1024


def memory_together(running: Iterable[subprocess.Popen[bytes]]) -> float:
    """Return what all of them take now, in MB; memory that several share counts once."""
    return sum(proportional(pid) for process in running for pid in family(process.pid))


def proportional(pid: int) -> float:
    """Return what a process takes now, in MB; memory that it shares counts in equal parts (Pss of
    proc(5))."""
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024


if __name__ == "__main__":
    main()
