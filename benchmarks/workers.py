"""What more workers bring: order mails with receipts, and phases, by one, two and eight processes.

    python -m benchmarks.workers --games 40

On a private PostgreSQL that flushes every commit; the games are made once and copied for each run.
Each worker works on stored mails and sends what is queued, or processes phases that are due, until
nothing is left. It prints how many a second they do, our processor time and the database's for
each, and how that compares to the time with one worker. With `--apart` each worker has a database
of its own, and nobody to wait for: what eight take more than one there they lose to the machine,
not to each other. How many more two do in a second than one says something only on an idle machine,
and with some 500 games: a worker that wants a game waits until the other has committed its mails,
and with few games it often does.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from benchmarks.servers import DurablePostgres, measured
from benchmarks.taker import taking

WORKERS = (1, 2, 8)
COLUMNS = ("workers", "items", "a second", "against one", "client ms", "backend ms", "against one")
FILLED = "filled"
Work = Callable[[str, DurablePostgres, str, int], dict[str, float]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=40)
    options.add_argument("--rounds", type=int, default=1, help="how often, alternately")
    options.add_argument("--apart", action="store_true", help="a database for each worker")
    given = options.parse_args()
    with DurablePostgres() as postgres, taking() as relay:
        run(postgres.create(FILLED), relay, "--fill", str(given.games))
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")
        print(f"{'':8}{'   '.join(COLUMNS)}")
        for _ in range(given.rounds):
            for what in ("mails", "phases"):
                show(what, postgres, relay, databases if given.apart else one_database)
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")


def show(what: str, postgres: DurablePostgres, relay: str, work: Work) -> None:
    """Print a line for each number of workers."""
    alone: tuple[float, float] | None = None
    for workers in WORKERS:
        got = work(what, postgres, relay, workers)
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


def one_database(
    what: str, postgres: DurablePostgres, relay: str, workers: int
) -> dict[str, float]:
    """Have them share the work, which is the same however many they are."""
    return in_a_copy("run", what, postgres, relay, workers)


def databases(what: str, postgres: DurablePostgres, relay: str, workers: int) -> dict[str, float]:
    """Have each do as much, at the same time, with nothing shared."""
    with ThreadPoolExecutor(workers) as pool:
        names = [f"run{number}" for number in range(workers)]
        got = list(pool.map(lambda name: in_a_copy(name, what, postgres, relay, 1), names))
    together = {key: sum(one[key] for one in got) for key in ("number", "client", "backend")}
    return {**together, "seconds": max(one["seconds"] for one in got)}


def in_a_copy(
    name: str, what: str, postgres: DurablePostgres, relay: str, workers: int
) -> dict[str, float]:
    url = postgres.create(name, template=FILLED)
    try:
        return run(url, relay, "--what", what, "--workers", str(workers))
    finally:
        postgres.drop(name)


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
