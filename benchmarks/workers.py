"""What more workers bring: order mails with receipts, and phases, by one, two and eight processes.

    python -m benchmarks.workers --games 40

On a private PostgreSQL that flushes every commit; the games are made once and copied for each run.
Each worker works on stored mails and sends what is queued, or processes phases that are due, until
nothing is left. Printed are how many a second, the processor time of one, ours and the database's,
and that against the time with one worker: what eight take more than one they lose by standing in
each other's way. How many a second two do against one says something only on an idle machine.
"""

from __future__ import annotations

import argparse
import os

from benchmarks.servers import DurablePostgres, measured
from benchmarks.taker import taking

WORKERS = (1, 2, 8)
COLUMNS = ("workers", "items", "a second", "against one", "client ms", "backend ms", "against one")
FILLED = "filled"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=40)
    options.add_argument("--rounds", type=int, default=1, help="how often, alternately")
    given = options.parse_args()
    with DurablePostgres() as postgres, taking() as relay:
        run(postgres.create(FILLED), relay, "--fill", str(given.games))
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")
        print(f"{'':8}{'   '.join(COLUMNS)}")
        for _ in range(given.rounds):
            for what in ("mails", "phases"):
                show(what, postgres, relay)
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")


def show(what: str, postgres: DurablePostgres, relay: str) -> None:
    """Print a line for each number of workers, which have the same work to do."""
    alone: tuple[float, float] | None = None
    for workers in WORKERS:
        url = postgres.create("run", template=FILLED)
        got = run(url, relay, "--what", what, "--workers", str(workers))
        postgres.drop("run")
        number = got["number"]
        client, backend = (1000 * got[name] / number for name in ("client", "backend"))
        rate, cost = number / got["seconds"], client + backend
        alone = alone or (rate, cost)
        values = (workers, number, rate, rate / alone[0], client, backend, cost / alone[1])
        cells = [
            f"{value:{len(column)}.{0 if isinstance(value, int) else 2}f}"
            for column, value in zip(COLUMNS, values, strict=True)
        ]
        print(f"{what:8}{'   '.join(cells)}", flush=True)


def run(url: str, relay: str, *arguments: str) -> dict[str, float]:
    return measured(
        "benchmarks.workers_worker",
        *arguments,
        DATABASE_URL=url,
        EMAIL_URL=relay,
        JUDGE_ADDRESS="judge@game.test",
    )


if __name__ == "__main__":
    main()
