"""`python -m tests`: every check, every test on PostgreSQL, and on SQLite what differs there.

The last lines say how many tests ran against which server, and the total. It fails when a check
or a test fails, and when a server got no test at all.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.plugin import SERVERS
from tests.second_database import for_both, noted
from tests.servers.postfix import can_run

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("judge", "atlas", "games", "mailer", "diplomacy_server")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
# One process more than cores: some tests wait for servers most of their time.
PARALLEL = ("-n", str(CORES + 1), "--dist", "worksteal")
OUTCOMES = ("passed", "failed", "error", "skipped")


@dataclass
class Tally:
    """What all runs together came to."""

    outcomes: Counter[str] = field(default_factory=Counter)
    servers: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The closing lines; the last one is what a counting machine reads."""
        failed = self.outcomes["failed"] + self.outcomes["error"]
        lines = ["tests per server:"]
        lines += [f"  {name}: {self.servers[name]}" for name in SERVERS]
        if self.broken:
            lines.append("failed steps: " + ", ".join(self.broken))
        lines.append(
            f"total: {self.outcomes['passed']} passed, {failed} failed,"
            f" {self.outcomes['skipped']} skipped"
        )
        return lines


def step(name: str, argv: list[str], env: dict[str, str], tally: Tally) -> None:
    """Run one command, say how long it took, remember when it failed."""
    print(f"--- {name}", flush=True)
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-m", *argv], cwd=ROOT, env=env, check=False)
    if done.returncode:
        tally.broken.append(name)
    word = f"failed ({done.returncode})" if done.returncode else "ok"
    print(f"--- {name}: {word}, {time.monotonic() - begun:.0f} s", flush=True)


def checks(tally: Tally, folder: Path) -> None:
    """Everything that needs no server."""
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/checks.sqlite3"}
    step("ruff check", ["ruff", "check", "."], env, tally)
    step("ruff format", ["ruff", "format", "--check", "."], env, tally)
    step("codespell", ["codespell_lib"], env, tally)
    step("mypy --strict", ["mypy", *ROOMS, "tests"], env, tally)
    step(
        "migrations are complete",
        ["django", "makemigrations", "--check", "--dry-run"],
        {**env, "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings", "PYTHONPATH": str(ROOT)},
        tally,
    )


def run_tests(name: str, options: list[str], env: dict[str, str], tally: Tally) -> None:
    """One run of pytest; its outcomes and its tests per server go into the tally.

    Paths are given as `--option=path`: pytest takes the folder of one that stands alone for the
    project's, and finds no settings there.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "counts.json"
        counted = ["pytest", *PARALLEL, "--durations", "12"]
        counted += [f"--server-counts={report}"]
        step(name, counted + options, env, tally)
        if report.exists():
            counts = json.loads(report.read_text())
            tally.outcomes.update({key: counts["outcomes"].get(key, 0) for key in OUTCOMES})
            tally.servers.update(counts["servers"])


def on_postgres() -> dict[str, str]:
    """The environment in which the tests start a PostgreSQL of their own, or use the one named."""
    env = dict(os.environ)
    if not env.get("DATABASE_URL", "").startswith("postgres"):
        env.pop("DATABASE_URL", None)
    return env


def tests(tally: Tally, folder: Path, chosen: list[str], *, everything: bool) -> None:
    """All on PostgreSQL, then on SQLite what differs there (`tests/second_database.py`)."""
    absent = {"SQLite"} if can_run() else {"SQLite", "Postfix"}
    here = ",".join(name for name in SERVERS if name not in absent)
    need = [] if chosen else ["--need-servers", here]
    notes = folder / "statements"
    notes.mkdir()
    noting = [f"--note-statements={notes}"]
    run_tests("tests on PostgreSQL", [*need, *noting, *chosen], on_postgres(), tally)
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/tests.sqlite3"}
    if chosen or everything:
        options = ["--only-database", *chosen]
    else:
        options = ["--need-servers", "SQLite", *what_differs(notes, folder / "listed")]
    run_tests("tests on SQLite", options, env, tally)


def what_differs(notes: Path, listed: Path) -> list[str]:
    """The options for a run of the tests that the second database needs, too."""
    tests = noted(notes)
    names = sorted(for_both(tests))
    listed.write_text("\n".join(names))
    sent = len(set[int]().union(*(test.shapes for test in tests.values())))
    print(
        f"--- {sent} statements, sent by {len(tests)} tests: {len(names)} run on SQLite", flush=True
    )
    return [f"--only-listed={listed}", *sorted({name.partition("::")[0] for name in names})]


def coverage(tally: Tally, chosen: list[str]) -> None:
    """Run the tests on PostgreSQL and show how much of the code they run through.

    The processes that they start count, too, but for those that are killed on purpose.
    """
    env = on_postgres()
    step("forget the last coverage", ["coverage", "erase"], env, tally)
    covered = ["coverage", "run", "-m", "pytest", *PARALLEL, *chosen]
    step("tests with coverage", covered, env, tally)
    step("put together", ["coverage", "combine", "--quiet"], env, tally)
    step("pages in htmlcov/", ["coverage", "html", "--quiet"], env, tally)
    step("coverage", ["coverage", "report"], env, tally)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests", description=__doc__)
    parser.add_argument("--only-checks", action="store_true", help="no tests")
    parser.add_argument("--all", action="store_true", help="every test on both databases")
    parser.add_argument(
        "--coverage", action="store_true", help="which lines and branches the tests run through"
    )
    parser.add_argument("chosen", nargs="*", help="only these tests, as pytest takes them")
    arguments = parser.parse_args()
    # Hundreds of processes are started: none compiles what another one has compiled before.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="tests-") as folder:
        if arguments.coverage:
            coverage(tally, arguments.chosen)
            return 1 if tally.broken else 0
        if not arguments.chosen:
            checks(tally, Path(folder))
        if not arguments.only_checks:
            tests(tally, Path(folder), arguments.chosen, everything=arguments.all)
            print("\n".join(tally.lines()))
        elif tally.broken:
            print("failed steps:", ", ".join(tally.broken))
    return 1 if tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())
