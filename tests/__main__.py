"""`python -m tests`: every check, every test on PostgreSQL, and on SQLite what differs there.

The checks go on beside the tests.

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
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mailer.cores import number_of_cores
from tests.memory import in_memory
from tests.plugin import SERVERS
from tests.servers import chromium, postfix
from tests.style import ROOMS

ROOT = Path(__file__).resolve().parent.parent
# More processes than cores: some tests wait for servers most of their time. The others take turns
# (tests/schedule.py).
PARALLEL = ("--processes", str(number_of_cores() + 2))
GIGABYTE = 2**30
SPACE, SPARE = 3 * GIGABYTE, 4 * GIGABYTE
"""For the files of a run, and for its processes."""
OUTCOMES = ("passed", "failed", "error", "skipped")


@dataclass
class Tally:
    """What several runs together came to."""

    outcomes: Counter[str] = field(default_factory=Counter)
    servers: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    kept: list[str] | None = None
    """What there is to print later; None when all is printed at once."""

    def add(self, other: Tally) -> None:
        """Count what another tally has counted, and print what it has kept."""
        self.outcomes.update(other.outcomes)
        self.servers.update(other.servers)
        self.broken += other.broken
        print("".join(other.kept or []), end="", flush=True)

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
    if tally.kept is None:
        print(f"--- {name}", flush=True)
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", *argv],
        cwd=ROOT,
        env=env,
        check=False,
        text=True,
        stdout=None if tally.kept is None else subprocess.PIPE,
        stderr=None if tally.kept is None else subprocess.STDOUT,
    )
    if done.returncode:
        tally.broken.append(name)
    word = f"failed ({done.returncode})" if done.returncode else "ok"
    end = f"--- {name}: {word}, {time.monotonic() - begun:.0f} s"
    if tally.kept is None:
        print(end, flush=True)
    else:
        tally.kept.append(f"--- {name}\n{done.stdout}{end}\n")


def checks(tally: Tally, folder: Path) -> None:
    """Everything that needs no server."""
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/checks.sqlite3"}
    step("ruff check", ["ruff", "check", "."], env, tally)
    step("ruff format", ["ruff", "format", "--check", "."], env, tally)
    step("codespell", ["codespell_lib"], env, tally)
    # To write down what it found takes a sixth of its time, for a next run that CI never has.
    forget = ["--cache-dir", os.devnull] if "CI" in os.environ else []
    step("mypy --strict", ["mypy", *forget, *ROOMS, "tests", "benchmarks"], env, tally)
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


def needing(*servers: str) -> list[str]:
    """The options of a run that fails unless a test ran against each of these servers."""
    return ["--need-servers", ",".join(servers)]


def unavailable() -> list[str]:
    """The servers that cannot be had on this machine; say so."""
    optional = {"Postfix": postfix.can_run(), "Chromium": chromium.can_run()}
    missing = [name for name, is_there in optional.items() if not is_there]
    for name in missing:
        print(f"--- NO {name.upper()} HERE: the tests that need it are skipped", flush=True)
    return missing


def some_tests(tally: Tally, chosen: list[str]) -> None:
    """The chosen tests on both databases."""
    run_tests("tests", ["--second-database=all", *chosen], on_postgres(), tally)


def everything(tally: Tally, folder: Path, *, twice: bool) -> None:
    """Every check, all tests on PostgreSQL, on SQLite what differs there (or all, too).

    The checks go on beside the tests: when these wait for servers, a core would have nothing to do.
    """
    besides = Tally(kept=[])
    beside = threading.Thread(target=checks, args=(besides, folder), daemon=True)
    beside.start()
    need = needing(*(name for name in SERVERS if name not in unavailable()))
    second = f"--second-database={'all' if twice else 'differs'}"
    run_tests("tests", [*need, second], on_postgres(), tally)
    beside.join()
    tally.add(besides)


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


@contextmanager
def temporary_files() -> Iterator[Path]:
    """Have all temporary files in one folder, which goes with the run: in memory if there is room,
    unless somebody has said where (TMPDIR).

    The files of databases, mailboxes and browsers are many, and on a disk each costs more than what
    is written into it.
    """
    memory = None if "TMPDIR" in os.environ else in_memory(SPACE, SPARE)
    with tempfile.TemporaryDirectory("", "tests-", memory, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # servers have folders in it, and are not root
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        yield Path(folder)


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
    with temporary_files(), tempfile.TemporaryDirectory(prefix="shared-") as folder:
        os.environ["TESTS_SHARED"] = folder
        if arguments.coverage:
            coverage(tally, arguments.chosen)
        elif arguments.only_checks:
            checks(tally, Path(folder))
        elif arguments.chosen:
            some_tests(tally, arguments.chosen)
        else:
            everything(tally, Path(folder), twice=arguments.all)
    if not (arguments.coverage or arguments.only_checks):
        print("\n".join(tally.lines()))
    elif tally.broken:
        print("failed steps:", ", ".join(tally.broken))
    return 1 if tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())
