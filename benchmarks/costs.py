"""What one order mail and one phase cost: processor time of us and of the database, statements.

    python -m benchmarks.costs --games 24

On PostgreSQL (every commit flushed) and on SQLite (WAL, flushed), by one process, warm; the median
of all, side by side. Below them come the costs of the same work by hand (by_hand.py), which is the
limit, and what njudge takes, measured once. The calibration is a fixed loop that lets you compare
machines. It does not show what others on the machine do to our caches: they can double our times,
so compare only what was measured together.
"""

from __future__ import annotations

import argparse

from benchmarks.servers import databases, measured
from benchmarks.taker import taking

COLUMNS = ("wall", "client", "backend", "CPU", "statements", "commits")
DIGITS = (2, 2, 2, 2, 1, 1)
WHOLE = {
    "order mail: whole way": (
        "order mail: stored, of seven",
        "order mail: worked on, of twenty",
        "order mail: receipt sent",
    ),
    "phase and its mails as text": (
        "phase: processed, eight mails",
        "its eight mails: text",
    ),
}
"""Rows that are the sum of others."""
NJUDGE = """njudge with a lean mailer, the CPU of all its processes, when the loop took 25 to 31 ms:
an order mail 10.9 to 11.9 ms, a phase with its eight mails 32 to 38 ms"""

FEWEST = 24

Rows = dict[str, dict[str, float]]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=FEWEST)
    games = options.parse_args().games
    if games < FEWEST:
        options.error(f"--games must be {FEWEST} at least: the first ones only warm up.")
    rows, loops = {}, []
    with databases("benchmark") as urls, taking() as relay:
        for name, url in urls.items():
            got = measured(
                "benchmarks.costs_worker",
                "--games",
                str(games),
                DATABASE_URL=url,
                EMAIL_URL=relay,
                JUDGE_ADDRESS="judge@game.test",
            )
            rows[name] = with_sums(got["rows"])
            loops.append(f"{name}; calibration {got['calibration']:.1f} ms")
    show(loops, list(rows.values()))


def with_sums(rows: Rows) -> Rows:
    """Return the rows with our processor time and the database's added up, and with the sums of
    rows that belong together."""
    whole = {name: added(*(rows[part] for part in parts)) for name, parts in WHOLE.items()}
    return {
        name: {**row, "CPU": row["client"] + row["backend"]}
        for name, row in {**rows, **whole}.items()
    }


def added(*rows: dict[str, float]) -> dict[str, float]:
    return {column: sum(row[column] for row in rows) for column in rows[0]}


def show(loops: list[str], databases: list[Rows]) -> None:
    """Print the table: milliseconds, and how many statements and commits."""
    width = sum(map(len, COLUMNS)) + 3 * len(COLUMNS)
    print(f"{'':32}" + "".join(f"{one:>{width}}" for one in loops))
    print(f"{'':32}" + "".join(f"{column:>{len(column) + 3}}" for column in COLUMNS) * len(loops))
    for name in databases[0]:
        cells = [
            f"{rows[name][column]:{len(column) + 3}.{digits}f}"
            for rows in databases
            for column, digits in zip(COLUMNS, DIGITS, strict=True)
        ]
        print(f"{name:32}{''.join(cells)}")
    print(NJUDGE)


if __name__ == "__main__":
    main()
