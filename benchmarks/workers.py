"""What more workers bring: order mails with receipts, and phases, by one, two and eight processes.

    python -m benchmarks.workers --games 40

On a private PostgreSQL that flushes every commit. Each worker works on stored mails and sends what
is queued, or processes phases that are due, until nothing is left. Printed are how many a second,
the processor time of one, ours and the database's, and that against the time with one worker: what
eight take more than one they lose by standing in each other's way.
"""

from __future__ import annotations

import argparse

from benchmarks.servers import databases, measured
from tests.mailer.sink import running_sink

WORKERS = (1, 2, 8)
COLUMNS = f"{'workers':>8}{'a second':>10}{'client ms':>11}{'backend ms':>12}{'against one':>13}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=40)
    games = options.parse_args().games
    for what in ("mails", "phases"):
        print(f"{what:8}{COLUMNS}")
        first = 0.0
        for workers in WORKERS:
            got = once(what, games, workers)
            number = got["number"]
            client, backend = (1000 * got[name] / number for name in ("client", "backend"))
            first = first or client + backend
            print(
                f"{'':8}{workers:8}{number / got['seconds']:10.1f}{client:11.2f}{backend:12.2f}"
                f"{(client + backend) / first:13.2f}"
            )


def once(what: str, games: int, workers: int) -> dict[str, float]:
    """What so many workers need for one kind of work, on a database of their own."""
    with databases("benchmark") as urls, running_sink() as sink:
        return measured(
            "benchmarks.workers_worker",
            *("--what", what, "--games", str(games), "--workers", str(workers)),
            DATABASE_URL=urls["PostgreSQL"],
            EMAIL_URL=sink.url,
            JUDGE_ADDRESS="judge@game.test",
        )


if __name__ == "__main__":
    main()
