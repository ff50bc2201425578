"""Everything that runs: the servers, our own programs, the relay and the players."""

from __future__ import annotations

import contextlib
import os
import random
import smtplib
import subprocess
import sys
from pathlib import Path

from diplomacy_server.demo.cast import CAST, DOMAIN
from tests.chaos.machines import Machine
from tests.chaos.processes import ROOT, Program, children, kill, kill_server, start_server
from tests.chaos.schedule import CHILD
from tests.servers import Dovecot, Postgres, Redis
from tests.servers.process import Server, free_ports, wait_until

JUDGE = "judge@game.test"
GM = f"gm@{DOMAIN}"
OPERATOR = f"operator@{DOMAIN}"
PLAYERS = tuple(person.address for person in CAST)
MACHINES = 2
FAULTS = 0.03
"""The share of mails with which the relay does each of the things that it can do wrong."""

GAMES = {
    "arras": "--no-early",
    "bapaume": "--no-early",
    "cambrai": "--no-early",
    "douai": "--no-early",
    "epernay": "",
}
"""Their names, and whether they wait for the deadline when all orders are in."""
LENGTHS = {"movement": 60, "retreat": 30, "adjustment": 30}
"""Of the phases, in seconds."""
SECOND_THOUGHTS_UNTIL = 70.0
"""After a mail that asks for orders, in seconds: longer than a phase."""


class DurablePostgres(Postgres):
    """What it committed is in the kernel's hands: kill -9 takes nothing back. (A power cut would:
    nothing is flushed to the disk.)"""

    settings = {**Postgres.settings, "synchronous_commit": "on", "full_page_writes": "on"}


class World:
    """A context manager: everything runs, the games are made and wait for players."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.chance = random.Random(f"{seed}/children")
        self.dovecot, self.postgres, self.redis = Dovecot(), DurablePostgres(), Redis()
        self.servers: dict[str, Server] = {
            "dovecot": self.dovecot,
            "postgres": self.postgres,
            "redis": self.redis,
        }
        self.programs: dict[str, Program] = {}
        self.machines: dict[str, Machine] = {}
        self.players = Program("players", [], {}, folder)
        self.env: dict[str, str] = {}
        self.relay_port, *self.web_ports = free_ports(1 + MACHINES)

    @property
    def diary(self) -> Path:
        """What the players wrote."""
        return self.folder / "diary.jsonl"

    @property
    def stop_file(self) -> Path:
        """When it is there, the players write nothing new."""
        return self.folder / "stop"

    def __enter__(self) -> World:
        with contextlib.ExitStack() as stack:
            for server in self.servers.values():
                stack.enter_context(server)
            stack.callback(self._stop_programs)
            self.env = self._environment(self.postgres.create("chaos"))
            self._make_games()
            self._start_programs()
            self.players = Program("players", self._players(), self.env, self.folder)
            self.players.start()
            self._leave = stack.pop_all()
        return self

    def __exit__(self, *exc: object) -> None:
        self._leave.close()

    def _start_programs(self) -> None:
        self.programs["relay"] = Program("relay", self._relay(FAULTS), self.env, self.folder)
        self.programs["relay"].start()
        for number, port in enumerate(self.web_ports, start=1):
            machine = Machine(number, self.folder, self.env, port)
            self.machines[machine.name] = machine
            self.programs |= machine.programs
            machine.start()

    def _stop_programs(self) -> None:
        for program in self.programs.values():
            program.kill()
        self.players.kill()

    def _environment(self, database_url: str) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
            "DATABASE_URL": database_url,
            "CELERY_BROKER_URL": self.redis.url,
            "IMAP_URL": self.dovecot.url(JUDGE),
            "EMAIL_URL": f"smtp://127.0.0.1:{self.relay_port}",
            "JUDGE_ADDRESS": JUDGE,
            "OPERATOR_ADDRESSES": OPERATOR,
            "TRUSTED_AUTHSERV_ID": "mx.game.test",
            "SITE_URL": f"http://127.0.0.1:{self.web_ports[0]}",
            "ALLOWED_HOSTS": "127.0.0.1",
            "SECRET_KEY": f"chaos {self.seed}: long enough for the system checks to be content",
            "VAR_DIR": str(self.folder / "var"),
            "POLL_SECONDS": "5",
            "TICK_SECONDS": "1",
            "MAIL_RETRY_SECONDS": "2",
            # Scripted players write faster than people.
            "MAILS_PER_HOUR": "100000",
            "STRANGERS_PER_HOUR": "100000",
            "REFUSALS_PER_DAY": "100000",
            "LOG_LEVEL": "WARNING",
        }

    def _relay(self, share: float) -> list[str]:
        ports = ["--port", str(self.relay_port), "--lmtp-port", str(self.dovecot.lmtp_port)]
        return ["-m", "tests.chaos.relay", *ports, "--share", str(share), "--passes", DOMAIN]

    def _players(self) -> list[str]:
        options = {
            "--imap-port": self.dovecot.port,
            "--smtp-port": self.relay_port,
            "--games": ",".join(GAMES),
            "--latest": SECOND_THOUGHTS_UNTIL,
            "--diary": self.diary,
            "--stop": self.stop_file,
            "--seed": self.seed,
        }
        return ["-m", "tests.chaos.players", *(str(w) for item in options.items() for w in item)]

    def _make_games(self) -> None:
        self.manage("migrate", "--verbosity", "0")
        lengths = [w for kind, length in LENGTHS.items() for w in (f"--{kind}", f"{length}s")]
        # Nobody loses a seat here by being late: all seven are to write until the end.
        rest = ["--reminders", "off", "--disorder-after", "0"]
        for name, early in GAMES.items():
            self.manage("create_game", name, "--gm", GM, *lengths, *rest, *early.split())

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a management command. Raises RuntimeError with what it wrote when it fails."""
        done = self.try_to_manage(*arguments)
        if done.returncode:
            raise RuntimeError(f"{arguments}: {done.stdout}{done.stderr}")
        return done

    def try_to_manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a management command, whatever comes of it."""
        argv = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            argv, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False
        )

    def strike(self, victim: str) -> bool:
        """kill -9; whether there was somebody to kill."""
        name = victim.removesuffix(CHILD)
        if name != victim:
            return self._strike_child(name)
        if name in self.servers:
            kill_server(self.servers[name])
        elif name in self.machines:
            self.machines[name].kill()
        else:
            self.programs[name].kill()
        return True

    def _strike_child(self, name: str) -> bool:
        process = (
            self.servers[name].process if name in self.servers else self.programs[name].process
        )
        found = sorted(children(process.pid)) if process else []
        if found:
            kill(self.chance.choice(found))
        return bool(found)

    def start_again(self, victim: str) -> None:
        """Start what `strike` killed; a server answers when this returns."""
        if victim.endswith(CHILD):
            return
        if victim in self.servers:
            start_server(self.servers[victim])
        elif victim in self.machines:
            self.machines[victim].start()
        else:
            self.programs[victim].start()

    def look_after(self) -> list[str]:
        """Start again what ended by itself; a sentence for each that just did."""
        codes = {name: each.restart_if_ended() for name, each in self.programs.items()}
        ended = [f"{name} ended with {code}" for name, code in codes.items() if code is not None]
        for name, server in self.servers.items():
            if server.process and server.process.poll() is not None:
                ended.append(f"{name} ended with {server.process.returncode}")
                kill_server(server)
                start_server(server)
        return ended

    def players_write(self) -> bool:
        """Whether the players have something to send yet. They are never killed."""
        process = self.players.process
        return process is not None and process.poll() is None

    def wait_for_servers(self) -> None:
        """Return when every server answers in its own protocol. Raises TimeoutError."""
        for name, server in self.servers.items():
            wait_until(server.answers, f"{name} answering")
        wait_until(self._relay_answers, "relay answering")

    def web_answers(self) -> bool:
        """Whether the front page comes, from every machine."""
        return all(machine.serves() for machine in self.machines.values())

    def _relay_answers(self) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.relay_port, timeout=20) as client:
                return client.noop()[0] == 250
        except OSError:
            return False

    def heal_relay(self) -> None:
        """From now on it takes every mail, and says so."""
        self.programs["relay"].kill()
        self.programs["relay"].arguments = self._relay(0.0)
        self.programs["relay"].start()
        wait_until(self._relay_answers, "relay answering")

    def shut_down(self) -> None:
        """Stop our programs as an operator would; the relay goes on."""
        for name, program in self.programs.items():
            if name != "relay":
                program.stop()
