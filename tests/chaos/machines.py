"""One of several machines: programs of ours that share only the servers with those elsewhere."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.processes import Program, kill_together

ZONES = ("UTC", "Asia/Kolkata", "America/St_Johns")
"""What the machines' own clocks show must not matter."""


@dataclass
class Machine:
    """Poller, worker and web with a home, a data folder and an environment of their own.

    `env` is what all machines are told alike: where the servers are, and the secrets.
    """

    number: int
    folder: Path
    env: Mapping[str, str]
    web_port: int
    programs: dict[str, Program] = field(init=False)

    def __post_init__(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        env = {
            **self.env,
            "HOME": str(self.home),
            "TMPDIR": str(self.home),
            "VAR_DIR": str(self.data),
            "RECEIPT_KEY_FILE": str(self.data / "receipts.key"),
            "TZ": ZONES[self.number % len(ZONES)],
        }
        self.data.mkdir(mode=0o700, exist_ok=True)
        self.programs = {
            name: Program(name, arguments, env, self.folder) for name, arguments in self._programs()
        }

    @property
    def name(self) -> str:
        """As the kills name it."""
        return f"machine-{self.number}"

    @property
    def home(self) -> Path:
        return self.folder / self.name

    @property
    def data(self) -> Path:
        """VAR_DIR, which no other machine can see."""
        return self.home / "var"

    def _programs(self) -> Iterator[tuple[str, list[str]]]:
        node = ["--hostname", f"worker@{self.name}"]
        yield (
            f"worker-{self.number}",
            ["-m", "diplomacy_server.worker", "--concurrency", "2", *node],
        )
        yield f"poller-{self.number}", ["manage.py", "poll_mail"]
        bind = f"127.0.0.1:{self.web_port}"
        yield f"web-{self.number}", ["-m", "diplomacy_server.web", "--bind", bind]

    def start(self) -> None:
        """Start all that runs on it; return at once."""
        for program in self.programs.values():
            program.start()

    def kill(self) -> None:
        """kill -9 for everything on it in one moment, as when its power fails."""
        kill_together(self.programs.values())

    def stop(self) -> None:
        """Ask everything on it to end."""
        for program in self.programs.values():
            program.terminate()
        for program in self.programs.values():
            program.stop()

    def serves(self) -> bool:
        """Whether the front page comes."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.web_port}/", timeout=10) as page:
                return bool(page.status == 200)
        except OSError:
            return False
