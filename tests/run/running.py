"""`make run` as a newcomer starts it: a process of its own, free ports, an empty folder."""

from __future__ import annotations

import os
import re
import signal
import smtplib
import sqlite3
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from imapclient import IMAPClient

from tests.servers.process import free_ports

ROOT = Path(__file__).resolve().parents[2]
# What the tests' own settings say must not reach the server.
FOREIGN = ("DATABASE_URL", "IMAP_URL", "EMAIL_URL", "CELERY_BROKER_URL", "SECRET_KEY", "MAKELEVEL")


def eventually(look: Callable[[], Any], *, seconds: float, what: str) -> Any:
    """Look until there is something to see; fail with `what` was awaited."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if seen := look():
            return seen
        time.sleep(0.25)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


class MakeRun:
    """One newcomer's machine: the folder stays when the server is started again."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.web, self.smtp, self.imap = free_ports(3)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.web}"

    @property
    def console(self) -> str:
        """What the newcomer has seen so far."""
        return (self.var.parent / "console.txt").read_text()

    def start(self, *, ready: bool = True) -> None:
        """Type `make run`, in a session of its own as a terminal has it."""
        if self.process is not None:
            self.process.wait(60)
        environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        environment |= {
            "VAR_DIR": str(self.var),
            "WEB_PORT": str(self.web),
            "SMTP_PORT": str(self.smtp),
            "IMAP_PORT": str(self.imap),
        }
        with (self.var.parent / "console.txt").open("wb") as console:
            self.process = subprocess.Popen(
                ["make", "run"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        if ready:
            eventually(
                lambda: "Ctrl-C" in self.console or self.ended(), seconds=120, what="the greeting"
            )
            assert not self.ended(), self.console

    def ended(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None

    def press_ctrl_c(self) -> None:
        """Interrupt as a terminal does; return when it has ended."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(60)

    def processes(self) -> dict[int, str]:
        """Every living process that works on our folder, wherever it has gone.

        Known by its environment, or, as the broker writes its title over that, by its title.
        """
        mark, ours = f"VAR_DIR={self.var}".encode(), f"{self.var}/".encode()
        found = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and int(folder.name) != os.getpid():
                try:
                    words = (folder / "cmdline").read_bytes()
                    if ours in words or mark in (folder / "environ").read_bytes().split(b"\0"):
                        found[int(folder.name)] = words.replace(b"\0", b" ").decode()
                except (FileNotFoundError, ProcessLookupError, PermissionError):
                    continue
        return {pid: words for pid, words in found.items() if words}

    def process_named(self, words: str) -> int | None:
        """The process whose command line has these words."""
        found = self.processes().items()
        return next((pid for pid, line in found if words in line), None)

    def supervisor(self) -> int:
        """The process that `make` started."""
        found = self.processes().items()
        return next(pid for pid, line in found if line.strip().endswith("server.embedded"))

    def end(self) -> None:
        """Leave nothing behind, whatever a test did."""
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if self.process is not None:
            self.process.wait(60)

    def page(self, path: str) -> str:
        with urllib.request.urlopen(self.site + path, timeout=60) as answer:
            return str(answer.read().decode())

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Read from the server's database."""
        path = self.var / "server.sqlite3"
        if not path.exists():
            return []
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
        try:
            return connection.execute(query, values).fetchall()
        except sqlite3.OperationalError:  # the tables are just being made
            return []
        finally:
            connection.close()

    def phases(self, game: str, status: str = "processed") -> list[str]:
        """The names of a game's phases in that status, in order."""
        query = (
            "SELECT p.name FROM games_phase p JOIN games_game g ON g.id = p.game_id "
            "WHERE g.name = ? AND p.status = ? ORDER BY p.number"
        )
        return [name for (name,) in self.rows(query, game, status)]


class Newcomer:
    """Somebody at this machine with an ordinary mail program."""

    def __init__(self, run: MakeRun, address: str) -> None:
        self.run = run
        self.address = address

    def write(
        self, text: str, *, to: str = "judge@localhost", answers: Message | None = None
    ) -> None:
        mail = EmailMessage()
        mail["From"] = self.address
        mail["To"] = to if answers is None else answers["Reply-To"]
        mail["Subject"] = "hello" if answers is None else f"Re: {answers['Subject']}"
        if answers is not None:
            mail["In-Reply-To"] = answers["Message-ID"]
        mail.set_content(text)
        with smtplib.SMTP("127.0.0.1", self.run.smtp, timeout=60) as server:
            server.send_message(mail)

    def write_on_the_page(self, text: str) -> str:
        """Fill in the form of the demo's page; return the page that follows."""
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with browser.open(self.run.site + "/demo/", timeout=60) as answer:
            page = answer.read().decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token
        fields = {
            "csrfmiddlewaretoken": token[1],
            "sender": self.address,
            "recipient": "judge@localhost",
            "body": text,
        }
        data = urllib.parse.urlencode(fields).encode()
        with browser.open(self.run.site + "/write/", data, timeout=60) as answer:
            return str(answer.read().decode())

    def mails(self) -> list[Message]:
        with IMAPClient("127.0.0.1", port=self.run.imap, ssl=False, timeout=60) as client:
            client.login(self.address, self.address.partition("@")[0])
            client.select_folder("INBOX")
            found = client.fetch(client.search(), ["BODY.PEEK[]"])
        parser = BytesParser(policy=policy.default)
        return [parser.parsebytes(found[uid][b"BODY[]"]) for uid in sorted(found)]

    def awaits(self, subject: str, *, seconds: float = 120) -> Message:
        """Wait for a mail whose subject matches."""

        def look() -> Message | None:
            fitting = [mail for mail in self.mails() if re.search(subject, mail["Subject"])]
            return fitting[-1] if fitting else None

        mail = eventually(look, seconds=seconds, what=f"a mail “{subject}”")
        assert isinstance(mail, Message)
        return mail


def text_of(mail: Message) -> str:
    """The words of a mail, which stand in its first plain part."""
    plain = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    payload = plain.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()
