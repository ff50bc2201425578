"""Phases per second: from due to committed results, with eight outgoing mails for each.

    python -m benchmarks.phases --games 100

On PostgreSQL (every commit flushed) and on SQLite (WAL), with one worker process and with two.
"""

from __future__ import annotations

import argparse

from benchmarks.servers import databases, measured


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=100)
    games = options.parse_args().games
    print(f"{'':12}{'workers':>8}{'phases/s':>10}{'mails/s':>10}{'CPU ms each':>13}{'peak MB':>10}")
    for workers in (1, 2):
        with databases("benchmark") as urls:
            for name, url in urls.items():
                show(name, workers, games, url)


def show(name: str, workers: int, games: int, url: str) -> None:
    """One line of the table."""
    arguments = ("--games", str(games), "--workers", str(workers))
    got = measured("benchmarks.phases_worker", *arguments, DATABASE_URL=url)
    rate = got["phases"] / got["seconds"]
    cpu = 1000 * got["cpu"] / got["phases"]
    print(f"{name:12}{workers:8}{rate:10.1f}{8 * rate:10.1f}{cpu:13.1f}{got['megabytes']:10.0f}")


if __name__ == "__main__":
    main()
