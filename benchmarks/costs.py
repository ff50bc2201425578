"""What one order mail and one phase cost: processor time of us and of the database, statements.

    python -m benchmarks.costs --games 12

On PostgreSQL (every commit flushed) and on SQLite (WAL, flushed), by one process, warm; the median
of all. The calibration is a fixed loop, to compare machines by. It does not show what others on the
machine do to our caches: that can double our times, so compare only what was measured together.
"""

from __future__ import annotations

import argparse

from benchmarks.servers import databases, measured
from tests.mailer.sink import running_sink

COLUMNS = ("wall", "client", "backend", "CPU", "statements", "commits")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=12)
    games = options.parse_args().games
    with databases("benchmark") as urls, running_sink() as sink:
        for name, url in urls.items():
            show(
                name,
                measured(
                    "benchmarks.costs_worker",
                    "--games",
                    str(games),
                    DATABASE_URL=url,
                    EMAIL_URL=sink.url,
                    JUDGE_ADDRESS="judge@game.test",
                ),
            )


def show(database: str, got: dict[str, object]) -> None:
    """The table of one database: milliseconds, and how many statements and commits."""
    print(f"{database}; calibration {got['calibration']:.1f} ms")
    print(f"{'':34}" + "".join(f"{column:>12}" for column in COLUMNS))
    rows: dict[str, dict[str, float]] = got["rows"]  # type: ignore[assignment]
    for name, row in rows.items():
        figures = {**row, "CPU": row["client"] + row["backend"]}
        digits = (2, 2, 2, 2, 0, 0)
        cells = (f"{figures[c]:12.{d}f}" for c, d in zip(COLUMNS, digits, strict=True))
        print(f"{name:34}" + "".join(cells))
    print()


if __name__ == "__main__":
    main()
