"""Order mails per second: from the mailbox (IMAP) to committed receipts, and out by SMTP.

    python -m benchmarks.mail --mails 500

On PostgreSQL (every commit flushed) and on SQLite (WAL), by one process; the mails are answers to
a start mail of ours with the quote below. Fetching ends with the raw mail committed, processing
with the receipt committed, sending with the receipt marked as sent.
"""

from __future__ import annotations

import argparse

from benchmarks.servers import databases, measured
from benchmarks.taker import taking
from tests.servers import Dovecot


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--mails", type=int, default=500)
    mails = options.parse_args().mails
    columns = ("fetch/s", "process/s", "both/s", "send/s", "CPU ms each", "peak MB")
    print(f"{'':12}" + "".join(f"{column:>13}" for column in columns))
    with databases("benchmark") as urls, Dovecot() as dovecot:
        for name, url in urls.items():
            show(name, mails, url, dovecot.url(f"{name.lower()}@game.test"))


def show(name: str, mails: int, database: str, mailbox: str) -> None:
    """One line of the table."""
    with taking() as relay:
        got = measured(
            "benchmarks.mail_worker",
            *("--mails", str(mails)),
            DATABASE_URL=database,
            IMAP_URL=mailbox,
            EMAIL_URL=relay,
            JUDGE_ADDRESS="judge@game.test",
        )
    seconds = (got["fetch"], got["process"], got["fetch"] + got["process"], got["send"])
    rates = [mails / one for one in seconds]
    figures = [*rates, 1000 * got["cpu"] / mails, got["megabytes"]]
    print(f"{name:12}" + "".join(f"{figure:13.1f}" for figure in figures))


if __name__ == "__main__":
    main()
