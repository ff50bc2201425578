"""How fast the judge is, side by side with PyPI `diplomacy` on the same phases in one run.

    python -m benchmarks.judge --phases 5000

Prints phases per second of each way through our judge, and how many times as many that is as the
other engine does by its inner and by its public calls (`benchmarks.engine_diplomacy`); the peak
memory of each engine; the hardest positions we know beside the median; and how the time grows with
the number of units. All times are processor time; the calibration loop says how fast the machine
was meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time
from typing import Any

from benchmarks.engine_ours import forget_routes
from benchmarks.large_board import crowd, grid
from benchmarks.rival import order_text, state_of
from benchmarks.stopwatch import MEMORY, WARM_UP, Seconds, calibration, shortest
from benchmarks.turns import Turn, every_fleet_convoys, long_chain, mid_game, paradoxes
from judge import adjudicate

INNER, PUBLIC = "inner calls", "public calls"
OURS = {
    "adjudicating": "17 times the inner calls",
    "with reasons": "",
    "checking and adjudicating": "",
    "reading text": "",
    "text to next state": "5 times the inner calls, 14 times the public ones",
    "the same, lines known": "",
    "JSON Lines door": "3 times the inner calls",
    "the door, lines known": "",
    "the door, no reasons": "4 times the inner calls",
    "no reasons, lines known": "",
}
"""Our ways, each with what we want of it.

"Adjudicating" gives the next position and a word for each order, from orders that are known to be
legal; "checking and adjudicating" finds out whether they are. "Text to next state" gives reasons,
too, in a process that has never read any of these lines; the figure below it is of a process that
has, since the judge remembers what lines say. The door does all that from JSON to JSON, setting up
the position included.
"""
THEIRS = {
    INNER: ("setting up", "putting in orders", "resolving"),
    PUBLIC: ("taking orders", "processing", "next state"),
}
Report = dict[str, Any]
UNITS = (7, 22, 34, 70, 100)
GRID = (16, 12)
REPEATS = 5


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--phases", type=int, default=1000, help="how many turns to measure")
    options.add_argument("--seed", type=int, default=1901)
    options.add_argument("--rounds", type=int, default=7, help="how often; the best times are told")
    given = options.parse_args()
    turns = mid_game(given.phases + WARM_UP, given.seed)
    units = sum(len(turn.position.units) for turn in turns) / len(turns)
    print(f"{given.phases} movement phases of random games, {units:.1f} units each\n")
    side_by_side(turns, given.rounds)
    middle = median(seconds(turn) for turn in turns[:500])
    hard_positions(middle)
    growth()


def side_by_side(turns: Sequence[Turn], rounds: int) -> None:
    """Run both engines alternately on the same turns, each way in processes of its own.

    The figures come from the best times of all rounds. Beside them are the ratios to the inner
    calls in each round, which tell how steady the machine was.
    """
    ours, theirs = [list(map(line, turns)) for line in (our_line, their_line)]
    reports: dict[str, list[Report]] = {name: [] for name in (*OURS, *THEIRS)}
    speeds = []
    for _ in range(rounds):
        speeds.append(calibration())
        for name in THEIRS:
            reports[name].append(run("benchmarks.engine_diplomacy", name, theirs))
        for name in OURS:
            reports[name].append(run("benchmarks.engine_ours", name, ours))
    count = len(turns) - WARM_UP
    print(f"calibration loop: {min(speeds):.0f} to {max(speeds):.0f} ms\n")
    show_theirs(count, reports)
    show_ours(count, reports)
    for engine, names in (("judge", OURS), ("diplomacy", THEIRS)):
        most = max(report[MEMORY] for name in names for report in reports[name])
        print(f"{MEMORY}, {engine}: {most:.0f}")
    print()


def show_theirs(count: int, reports: Mapping[str, Sequence[Report]]) -> None:
    """Print the other engine's phases per second, and the microseconds of each part of a phase."""
    print(f"{'diplomacy, phases per second':30}")
    for name, parts in THEIRS.items():
        each = [
            f"{part} {1e6 / rate(count, [report[part] for report in reports[name]]):.0f}"
            for part in parts
        ]
        times = [report[name] for report in reports[name]]
        print(f"{name:27}{rate(count, times):10,.0f}   µs: {', '.join(each)}")
    print()


def show_ours(count: int, reports: Mapping[str, Sequence[Report]]) -> None:
    """Print our phases per second by each way, and how many times the other engine's they are."""
    print(f"{'judge, phases per second':37}{'x inner':>9}{'x public':>9}{'rounds':>14}")
    times = {name: [report[name] for report in reports[name]] for name in reports}
    inner, public = times[INNER], times[PUBLIC]
    for name, wanted in OURS.items():
        mine = rate(count, times[name])
        single = [sum(them) / sum(us) for us, them in zip(times[name], inner, strict=True)]
        spread = f"{min(single):.1f} to {max(single):.1f}"
        print(
            f"{name:27}{mine:10,.0f}{mine / rate(count, inner):9.1f}"
            f"{mine / rate(count, public):9.1f}{spread:>14}{wanted and f'  (want {wanted})'}"
        )
    print()


def rate(turns: int, times: Sequence[Seconds]) -> float:
    """Return turns per second."""
    return turns / sum(shortest(times))


def run(module: str, way: str, lines: list[str]) -> Report:
    """Let an engine work on the lines that way, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", module, way],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    report: Report = json.loads(done.stdout.splitlines()[-1])
    return report


def our_line(turn: Turn) -> str:
    return json.dumps({"state": turn.position.to_state(), "orders": turn.texts})


def their_line(turn: Turn) -> str:
    orders = {
        power.upper(): [order_text(order, turn.position) for order in given]
        for power, given in turn.orders.items()
    }
    return json.dumps({"state": state_of(turn.position), "orders": orders})


def hard_positions(middle: float) -> None:
    """Print how long the positions that make an adjudicator think take, as multiples of the median
    phase."""
    print(f"median phase {middle * 1e6:.0f} µs; the hardest positions as multiples of it")
    hardest = [*paradoxes(), ("all fleets convoy", every_fleet_convoys())]
    hardest.append(("one long chain", long_chain()))
    for name, turn in hardest:
        units = len(turn.position.units)
        print(f"  {name:20}{units:4} units{seconds(turn) / middle:8.1f} x")


def growth() -> None:
    """Print the median time of a phase with more and more units on a large board."""
    variant, rng = grid(*GRID), Random(7)
    print(f"\ngrowth on a board of {len(variant.board.provinces)} provinces")
    for units in UNITS:
        middle = median(seconds(crowd(variant, units, rng)) for _ in range(40)) * 1e6
        print(f"  {units:4} units{middle:8.0f} µs{middle / units:8.1f} µs each")


def seconds(turn: Turn) -> float:
    """Return the best of some tries, each from a position that nobody has looked at yet."""
    times = []
    for _ in range(REPEATS):
        position = replace(turn.position)
        forget_routes()
        start = process_time()
        adjudicate(position, turn.orders)
        times.append(process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
