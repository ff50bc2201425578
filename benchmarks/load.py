"""A server of many running games: receipts, a minute when all are due, memory, growth, plans.

    make load LOAD=1000 FINISHED=4000 MAILS=1000000

Poller, Celery worker (two processes) and web on a private PostgreSQL that flushes every
commit, Redis, Dovecot and an SMTP server. Besides the running games the tables hold games that are
over and mails that came and went. First players mail orders, and each waits for their receipt;
then all games are due at once. Read the load of the machine beside the figures.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.processes import family, memory_together, peak_memory, processes
from benchmarks.receipts import Clock, delays, hand_in, running_clock
from benchmarks.servers import DurablePostgres, measured
from tests.servers import Dovecot, Redis

JUDGE = "judge@game.test"
AUTHSERV_ID = "mx.game.test"
CAST = ("Ana", "Ben", "Carla", "Dmitri", "Emma", "Felix", "Greta")
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
PHASES_A_YEAR = 5
LARGE = 20_000
"""A table with more rows than this should never be read whole."""
LONGEST = 3600.0
PAUSE = 1.0

REFUSED = "select count(*) from mailer_outboundmail where id > %s and key like '%%/refused'"
OPEN = "select count(*) from games_phase where status = 'open' and due_at <= %s"
LEFT = """
    select (select count(*) from mailer_outboundmail where state = 'queued')
         + (select count(*) from games_event where told_at is null)
"""
EXPLAIN = (
    "session_preload_libraries = 'auto_explain'",
    "auto_explain.log_min_duration = 0",
    "auto_explain.log_nested_statements = on",
    "log_min_messages = 'log'",
)
LARGE_TABLES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s"
SHOWN = 400
READ = "select relname, seq_tup_read, n_live_tup from pg_stat_user_tables"


@dataclass
class Server:
    """The processes under load, their database, and what the SMTP server took and when."""

    url: str
    clock: Clock
    running: Mapping[str, subprocess.Popen[bytes]]
    lmtp_port: int
    orders: dict[str, list[str]] = field(default_factory=dict)

    def ask(self, sql: str, *values: object) -> Any:
        """Return the first column of the first row."""
        with psycopg.connect(self.url, autocommit=True) as database:
            row = database.execute(sql.encode(), values).fetchone()
        return row[0] if row else None

    def write(self, sql: str, *values: object) -> None:
        with psycopg.connect(self.url, autocommit=True) as database:
            database.execute(sql.encode(), values)

    def size(self) -> int:
        """Return the bytes of the database on the disk, with nothing in it that a vacuum would
        free."""
        self.write("vacuum")
        return int(self.ask("select pg_database_size(current_database())"))

    def explain(self) -> None:
        """From now on, log the plan of every statement."""
        for setting in EXPLAIN:
            self.write(f"alter role app set {setting}")

    def read_whole_by(self, log: Path) -> Iterator[str]:
        """Yield each statement in the log that read a large table whole, and how often it did."""
        with psycopg.connect(self.url, autocommit=True) as database:
            large = [str(row[0]) for row in database.execute(LARGE_TABLES, [LARGE])]
        names = re.compile(rf"Seq Scan on ({'|'.join(large)}) ")
        plans = log.read_text(errors="replace").split("LOG:  duration: ")
        print(len(plans), large, log)
        found = Counter(
            (names.search(plan)[1], _statement_of(plan))  # type: ignore[index]
            for plan in plans
            if names.search(plan)
        )
        for (table, statement), times in found.most_common():
            yield f"read whole {times} times: {table}, by {statement}"

    def read(self) -> dict[str, tuple[int, int]]:
        """Return how many rows of each table were read one after the other, and how many it has."""
        with psycopg.connect(self.url, autocommit=True) as database:
            rows = database.execute(READ).fetchall()
        return {str(name): (int(read or 0), int(live)) for name, read, live in rows}


def _statement_of(plan: str) -> str:
    """Return the statement of a plan in the log, without how long it took."""
    return " ".join(plan.partition("Query Text:")[2].split())[:SHOWN]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=10, help="that are running")
    options.add_argument("--finished", type=int, default=0, help="games that are over")
    options.add_argument("--mails", type=int, default=0, help="that came and went before")
    options.add_argument("--rate", type=float, default=10, help="mails a second")
    options.add_argument("--written", type=int, default=300, help="mails with orders at most")
    options.add_argument("--explain", action="store_true", help="name statements that do")
    given = options.parse_args()
    print(f"{given.games} games run, {given.finished} are over, {given.mails} mails; {load()}")
    with server(given.games, given.finished, given.mails, explain=given.explain) as one:
        read = one.read()
        receipts(one, given.games, given.rate, given.written)
        all_due(one, given.games)
        memory(one)
        read_whole(read, one.read())
    print(f"In the end: {load()}")


def load() -> str:
    """Say what else the machine does."""
    return "load " + " ".join(f"{one:.1f}" for one in os.getloadavg())


@contextmanager
def server(games: int, finished: int, mails: int, *, explain: bool) -> Iterator[Server]:
    """Start everything, and wait until it has answered a first mail."""
    with ExitStack() as stack:
        clock = stack.enter_context(running_clock())
        dovecot = stack.enter_context(Dovecot())
        postgres = stack.enter_context(DurablePostgres())
        url = postgres.create("load")
        environment = {
            "DATABASE_URL": url,
            "CELERY_BROKER_URL": stack.enter_context(Redis()).url,
            "IMAP_URL": dovecot.url(JUDGE),
            "EMAIL_URL": clock.url,
            "JUDGE_ADDRESS": JUDGE,
            "TRUSTED_AUTHSERV_ID": AUTHSERV_ID,
            "SETTLE_SECONDS": "0",
            "VAR_DIR": stack.enter_context(tempfile.TemporaryDirectory()),
        }
        begun = time.monotonic()
        sizes = ("--running", str(games), "--finished", str(finished), "--mails", str(mails))
        orders = measured("benchmarks.load_fill", *sizes, **environment)["orders"]
        print(f"filled in {time.monotonic() - begun:.0f} s")
        one = Server(url, clock, {}, dovecot.lmtp_port, orders)
        if explain:
            one.explain()
            stack.callback(lambda: print(*one.read_whole_by(postgres.log), sep="\n"))
        one.running = stack.enter_context(processes(environment))
        delays(hand_in(letters(one, 1, 1, "first"), 1, one.lmtp_port), clock)  # all are awake now
        yield one


def receipts(one: Server, games: int, rate: float, most: int) -> None:
    """Measure how long players wait for the receipts of their orders."""
    mails = letters(one, games, min(most, games * len(one.orders)), "orders")
    before = one.ask("select max(id) from mailer_outboundmail")
    waited = delays(hand_in(mails, rate, one.lmtp_port), one.clock)
    refused = one.ask(REFUSED, before)
    assert not refused, f"{refused} of {len(mails)} mails were refused"
    cuts = statistics.quantiles(waited, n=100, method="inclusive")
    print(
        f"receipts: {len(mails)} mails at {rate:g}/s: median {cuts[49]:.2f} s, "
        f"p95 {cuts[94]:.2f} s, max {waited[-1]:.2f} s"
    )


def letters(one: Server, games: int, number: int, what: str) -> Sequence[tuple[str, bytes]]:
    """Return this many mails with orders, each from another seat."""
    seats = [(game, power) for game in range(games) for power in one.orders]
    chosen = random.Random(1901).sample(seats, number)
    return [letter(one, game, power, what) for game, power in chosen]


def letter(one: Server, game: int, power: str, what: str) -> tuple[str, bytes]:
    prefix = f"n{game}" if game else ""
    name = CAST[POWERS.index(power)]
    message_id = f"<{what}-{game}-{power}@players.test>"
    lines = "\r\n".join([*one.orders[power], ""])
    return message_id, (
        f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=players.test\r\n"
        f"From: {name} <{prefix}{name.lower()}@players.test>\r\nTo: {JUDGE}\r\n"
        f"Date: {formatdate()}\r\nMessage-ID: {message_id}\r\n"
        f"Subject: [{prefix}marne] orders\r\n\r\n{lines}"
    ).encode()


def all_due(one: Server, games: int) -> None:
    """Measure the time from a deadline that all games share to the last result that the SMTP server
    takes."""
    before = one.size()
    one.write("update games_phase set due_at = date_trunc('second', now()) where status = 'open'")
    begun, taken = time.monotonic(), one.clock.count
    due_at = one.ask("select max(due_at) from games_phase where status = 'open'")
    decided = 0.0
    while one.ask(OPEN, due_at) or one.ask(LEFT):
        assert time.monotonic() < begun + LONGEST, "not all games were decided within an hour"
        if not decided and not one.ask(OPEN, due_at):
            decided = time.monotonic() - begun
        time.sleep(PAUSE)
    mails = one.clock.count
    print(
        f"all due at once: {games} phases decided within {decided or one.clock.last - begun:.0f} s,"
        f" the last result sent after {one.clock.last - begun:.0f} s ({mails - taken} mails in all)"
    )
    grown = (one.size() - before) / games
    kilobytes = grown * PHASES_A_YEAR / 1024
    print(f"growth: {grown / 1024:.0f} kB a game and phase, {kilobytes:.0f} kB a game-year")


def memory(one: Server) -> None:
    """Print the largest resident size of each process so far, and what all take now."""
    for name, process in one.running.items():
        megabytes = ", ".join(f"{peak_memory(pid):.0f} MB" for pid in family(process.pid))
        print(f"memory: {name:8} {megabytes}")
    print(f"memory: together {memory_together(one.running.values()):.0f} MB")


def read_whole(before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]) -> None:
    """Print which large tables our processes read from end to end. Raises AssertionError if they
    read any.

    A scan that ends with its first row reads nothing whole: what counts is how many rows were read.
    """
    large = {name: read for name, (read, rows) in after.items() if rows > LARGE}
    since = {name: read - before.get(name, (0, 0))[0] for name, read in large.items()}
    whole = {name: read for name, read in since.items() if read > LARGE}
    assert not whole, f"large tables that were read whole, and how many rows were: {whole}"
    print(f"plans: none of {len(large)} tables of more than {LARGE} rows was read whole")


if __name__ == "__main__":
    main()
