"""How long a player waits for their receipt while fifty mails come in every second.

    python -m benchmarks.receipts --rate 50 --seconds 60

Poller, Celery worker (two processes) and web as in production, on a private PostgreSQL that
flushes every commit, Redis, Dovecot and an SMTP server. A mail's delay begins when we hand it to
the mail server by LMTP, and ends when the SMTP server takes its receipt. There are as many seats as
it takes for each to write twice at this rate in this time.
"""

from __future__ import annotations

import argparse
import json
import re
import smtplib
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.processes import processes
from benchmarks.servers import DurablePostgres, measured
from benchmarks.taker import taking
from tests.servers import Dovecot, Redis

EACH_WRITES = 2
LONGEST = 300.0
_ANSWERS = re.compile(rb"^In-Reply-To:\s*(<[^>]+>)", re.IGNORECASE | re.MULTILINE)


@dataclass
class Clock:
    """An SMTP server that notes when it took the answer to each mail, and the time of the last
    one."""

    taken: dict[str, float] = field(default_factory=dict)
    url: str = ""
    count: int = 0
    last: float = 0.0

    def take(self, content: bytes) -> None:
        self.count, self.last = self.count + 1, time.monotonic()
        headers = content.partition(b"\r\n\r\n")[0]
        if found := _ANSWERS.search(headers):
            self.taken.setdefault(found[1].decode(), time.monotonic())


@contextmanager
def running_clock() -> Iterator[Clock]:
    """Run such a server on a free port."""
    clock = Clock()
    with taking(clock.take) as clock.url:
        yield clock


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rate", type=float, default=50, help="mails per second")
    options.add_argument("--seconds", type=float, default=60)
    given = options.parse_args()
    mails = round(given.rate * given.seconds) + 1
    with ExitStack() as stack:
        clock = stack.enter_context(running_clock())
        dovecot = stack.enter_context(Dovecot())
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        environment = {
            "DATABASE_URL": stack.enter_context(DurablePostgres()).create("benchmark"),
            "CELERY_BROKER_URL": stack.enter_context(Redis()).url,
            "IMAP_URL": dovecot.url("judge@game.test"),
            "EMAIL_URL": clock.url,
            "JUDGE_ADDRESS": "judge@game.test",
            "VAR_DIR": folder,
        }
        texts = written(mails, Path(folder, "mails.json"), environment)
        stack.enter_context(processes(environment))
        delays(hand_in(texts[:1], given.rate, dovecot.lmtp_port), clock)  # all are awake now
        handed_in = hand_in(texts[1:], given.rate, dovecot.lmtp_port)
        waited = delays(handed_in, clock)
    show(waited, given.rate, len(handed_in), max(handed_in.values()) - min(handed_in.values()))


def written(mails: int, file: Path, environment: dict[str, str]) -> list[tuple[str, bytes]]:
    """Return (Message-ID, mail) of the order mails; each seat's second one has another text."""
    seats = -(-mails // EACH_WRITES)
    measured(
        "benchmarks.mail_worker", "--mails", str(seats), "--write-to", str(file), **environment
    )
    texts = [text for text in json.loads(file.read_text()) for _ in range(EACH_WRITES)]
    found = []
    for number, text in enumerate(texts[:mails]):
        name = f"<{number}@benchmark.test>"
        raw = re.sub(r"Message-ID: \S+", f"Message-ID: {name}", text, count=1)
        found.append((name, raw.replace("\r\n\r\nOn Monday", f"\r\nSet {number}\r\n\r\nOn Monday")))
    apart = [one for turn in range(EACH_WRITES) for one in found[turn::EACH_WRITES]]
    return [(name, raw.encode()) for name, raw in apart]


def hand_in(mails: Sequence[tuple[str, bytes]], rate: float, port: int) -> dict[str, float]:
    """Hand the mails to the judge's mailbox at this rate; return when, by Message-ID."""
    handed_in = {}
    begun = time.monotonic()
    with smtplib.LMTP("127.0.0.1", port, timeout=20) as lmtp:
        for number, (name, raw) in enumerate(mails):
            time.sleep(max(0.0, begun + number / rate - time.monotonic()))
            handed_in[name] = time.monotonic()
            lmtp.sendmail("player@players.test", ["judge@game.test"], raw)
    return handed_in


def delays(handed_in: dict[str, float], clock: Clock) -> list[float]:
    """Wait until all receipts are there; return the seconds from each mail to its receipt,
    ascending."""
    end = time.monotonic() + LONGEST
    while len(handed_in.keys() - clock.taken.keys()) and time.monotonic() < end:
        time.sleep(0.2)
    missing = handed_in.keys() - clock.taken.keys()
    assert not missing, f"{len(missing)} mails were not answered within {LONGEST:g} s"
    return sorted(clock.taken[name] - at for name, at in handed_in.items())


def show(waited: list[float], rate: float, mails: int, took: float) -> None:
    cuts = statistics.quantiles(waited, n=100, method="inclusive")
    print(f"{mails} mails at {rate:g}/s (handed in within {took:.1f} s), receipt after:")
    print(f"p50 {cuts[49]:.2f} s, p95 {cuts[94]:.2f} s, max {waited[-1]:.2f} s")


if __name__ == "__main__":
    main()
