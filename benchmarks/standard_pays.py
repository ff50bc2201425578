"""What the standard game pays for the rules of variants: bytecodes counted, and processor time.

    python -m benchmarks.standard_pays                    (the hooks of this revision)
    python -m benchmarks.standard_pays --against 3c47ef9^ --this 3c47ef9
                                                          (one revision beside another)

The first way counts the bytecodes that random phases of the standard game take in `judge`, and how
many of them stand on a line that asks the variant for rules of its own: these numbers are the same
each time, whatever else the machine does. The second counts all bytecodes of two revisions' judges,
and runs them by turns, each a process of its own over the same phases, for the median of many short
runs; on a busy machine the processor time is worth little. `3c47ef9` is the revision that brought
the rules.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from linecache import getline
from pathlib import Path
from random import Random
from statistics import median
from types import FrameType
from typing import Any

from benchmarks.random_games import random_orders
from judge import Order, Position, adjudicate, load_variant

ROOT = Path(__file__).resolve().parent.parent
HOOK = re.compile(r"own_rules|in_play|rules_of_its_own|stand_ins|self\.unusual|s\.unusual")
"""Finds lines that ask for a variant's rules, or for what these left in a phase."""
Phase = tuple[Position, dict[str, list[Order]]]

WORKER = """
import json, sys
from time import process_time
from judge import Position, adjudicate, load_variant
variant = load_variant("standard")
turns = []
for state, lines in json.load(sys.stdin):
    position = Position.from_state(variant, state)
    found = adjudicate(position, lines)
    values = {power: [one.order for one in found.results if one.power == power] for power in lines}
    turns.append((position, lines, values))
times = []
for _ in range(REPEATS):
    row = []
    for which in (1, 2):
        start = process_time()
        for turn in turns:
            adjudicate(turn[0], turn[which])
        row.append(process_time() - start)
    times.append(row)
count = 0
def trace(frame, event, _):
    global count
    if event == "call":
        frame.f_trace, frame.f_trace_opcodes = trace, True
    elif event == "opcode":
        count += 1
    return trace
counts = []
for which in (1, 2) if COUNTS else ():
    count = 0
    sys.settrace(trace)
    for turn in turns:
        adjudicate(turn[0], turn[which])
    sys.settrace(None)
    counts.append(count)
print(json.dumps([min(column) for column in zip(*times)] + counts))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--phases", type=int, default=150)
    options.add_argument("--against", help="a revision before")
    options.add_argument("--this", default="HEAD", help="the revision after it")
    options.add_argument("--runs", type=int, default=15)
    chosen = options.parse_args()
    phases = movement_phases(chosen.phases)
    if chosen.against:
        beside(phases, chosen.against, chosen.this, chosen.runs)
    else:
        for way, share in hook_shares(phases).items():
            print(f"{way}: {share:.2%} of the bytecodes ask for rules of a variant")


def movement_phases(count: int, seed: int = 1) -> list[Phase]:
    """Return movement phases of random games of the standard game, with their orders."""
    found: list[Phase] = []
    rng, position = Random(seed), Position.start(load_variant("standard"))
    while len(found) < count:
        orders = random_orders(position, rng)
        if position.phase.step == "M":
            found.append((position, orders))
        outcome = adjudicate(position, orders)
        position = Position.start(position.variant) if outcome.winner else outcome.next
    return found


def as_text(orders: dict[str, list[Order]]) -> dict[str, list[str]]:
    """Return the orders as players write them."""
    return {power: [str(order) for order in given] for power, given in orders.items()}


def hook_shares(phases: list[Phase]) -> dict[str, float]:
    """Return, by the way orders come, which share of all bytecodes belongs to hooks, 0 to 1."""
    for position, orders in phases:  # what is found out once for a board is no phase's cost
        adjudicate(position, orders)
        adjudicate(position, as_text(orders))
    ways: dict[str, Callable[[Phase], object]] = {
        "orders as values": lambda turn: adjudicate(*turn),
        "orders as text": lambda turn: adjudicate(turn[0], as_text(turn[1])),
    }
    return {way: _share(phases, run) for way, run in ways.items()}


def _share(phases: list[Phase], run: Callable[[Phase], object]) -> float:
    counts = bytecodes(lambda: [run(turn) for turn in phases])
    return sum(n for at, n in counts.items() if is_hook(*at)) / sum(counts.values())


@cache
def is_hook(file: str, line: int) -> bool:
    """Say whether a line asks for a variant's rules."""
    return HOOK.search(getline(file, line)) is not None


def bytecodes(run: Callable[[], object]) -> Counter[tuple[str, int]]:
    """Count how many bytecodes each line of `judge` takes while something runs."""
    counts: Counter[tuple[str, int]] = Counter()
    folder = str(ROOT / "judge")

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if event == "call":
            if not name.startswith(folder):
                return None
            frame.f_trace, frame.f_trace_opcodes = trace, True
        elif event == "opcode":
            counts[name, frame.f_lineno or 0] += 1
        return trace

    before = sys.gettrace()  # the tracer that measures which lines the tests run through
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return counts


def beside(phases: list[Phase], before: str, after: str, runs: int) -> None:
    """Print the processor time of two revisions' judges, run by turns."""
    told = json.dumps([(position.to_state(), as_text(orders)) for position, orders in phases])
    times: dict[str, list[list[float]]] = {before: [], after: []}
    with tempfile.TemporaryDirectory() as folder:
        counts = []
        for number, revision in enumerate(times):
            unpack(revision, Path(folder) / str(number))
            counts.append(timed(Path(folder) / str(number), told, is_counted=True)[2:])
        for run in range(runs):
            order = list(enumerate(times))
            for number, revision in order if run % 2 else order[::-1]:
                times[revision].append(timed(Path(folder) / str(number), told))
    for column, way in enumerate(("orders as text", "orders as values")):
        ratios = [new[column] / old[column] for old, new in zip(*times.values(), strict=True)]
        spread = sorted(ratios)[len(ratios) // 4], sorted(ratios)[3 * len(ratios) // 4]
        print(
            f"{way}: {after} takes {median(ratios) - 1:+.1%} processor time beside {before}"
            f" (half of {runs} pairs of runs between {spread[0] - 1:+.1%} and"
            f" {spread[1] - 1:+.1%}),"
            f" and {counts[1][column] / counts[0][column] - 1:+.2%} bytecodes"
        )


def unpack(revision: str, folder: Path) -> None:
    """Put the judge of a revision into a folder."""
    command = ["git", "-C", str(ROOT), "archive", revision, "judge"]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], check=True, input=archive)


def timed(folder: Path, told: str, *, is_counted: bool = False) -> list[float]:
    """Return the seconds of processor time for all phases, as text and as values, the best of a
    process; and how many bytecodes they take, if we count these."""
    worker = WORKER.replace("REPEATS", "5").replace("COUNTS", str(is_counted))
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"}
    ran = subprocess.run(
        [sys.executable, "-c", worker],
        input=told,
        capture_output=True,
        text=True,
        check=True,
        env=env,
        cwd=folder,
    )
    found: list[float] = json.loads(ran.stdout)
    return found


if __name__ == "__main__":
    main()
