"""How fast the judge is, side by side with PyPI `diplomacy` on the same phases.

    python -m benchmarks.judge --phases 5000

Prints phases per second from orders and from text, the peak memory of each engine, the hardest
positions we know beside the median, and how the time grows with the number of units.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time
from typing import Any

from benchmarks.engine_ours import forget_routes
from benchmarks.large_board import crowd, grid
from benchmarks.rival import order_text, state_of
from benchmarks.stopwatch import MEMORY, WARM_UP, Seconds, shortest
from benchmarks.turns import Turn, every_fleet_convoys, long_chain, mid_game, paradoxes
from judge import adjudicate

TARGETS = {"adjudicating": 12, "text to next state": 7}
COMPARED = {
    "adjudicating": "adjudicating",
    "with reasons": "adjudicating",
    "checking and adjudicating": "adjudicating",
    "reading text": "reading text",
    "text to next state": "text to next state",
    "the same, lines known": "text to next state",
}
"""Our figures, each with the figure of the other engine that it is held against.

Its adjudicating is that of orders it has checked as it took them, and gives words for results but
no reasons: "adjudicating" is the same of ours. "Checking and adjudicating" adds the checking on our
side alone. "Text to next state" is in a process that has never read a line of these; the figure
below it is in one that has, since the judge remembers what lines say.
"""
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
    """Both engines in turn on the same turns, each in processes of its own.

    The figures are of the best times of all rounds; the ratios of the single rounds beside them
    tell how steady the machine was.
    """
    ours, theirs = [list(map(line, turns)) for line in (our_line, their_line)]
    reports: list[Report] = []
    rivals: list[Report] = []
    for _ in range(rounds):
        rivals.append(run(["benchmarks.engine_diplomacy"], theirs))
        reports += (run(["benchmarks.engine_ours", name], ours) for name in COMPARED)
    count = len(turns) - WARM_UP
    print(f"{'phases per second':27}{'judge':>10}{'diplomacy':>12}{'ratio':>8}{'rounds':>14}")
    for name, other in COMPARED.items():
        target = f"  (target {TARGETS[name]})" if name in TARGETS else ""
        mine = [report[name] for report in reports if name in report]
        rival = [report[other] for report in rivals]
        ratio = sum(shortest(rival)) / sum(shortest(mine))
        single = [sum(them) / sum(us) for us, them in zip(mine, rival, strict=True)]
        spread = f"{min(single):.1f} to {max(single):.1f}"
        print(
            f"{name:27}{rate(count, mine):10,.0f}{rate(count, rival):12,.0f}"
            f"{ratio:8.1f}{spread:>14}{target}"
        )
    most = [max(report[MEMORY] for report in both) for both in (reports, rivals)]
    print(f"{MEMORY:27}{most[0]:10.0f}{most[1]:12.0f}\n")


def rate(turns: int, times: Sequence[Seconds]) -> float:
    """Turns per second."""
    return turns / sum(shortest(times))


def run(module: list[str], lines: list[str]) -> Report:
    """Let an engine work on the lines in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", *module],
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
    """The positions that make an adjudicator think, as multiples of the median phase."""
    print(f"median phase {middle * 1e6:.0f} µs; the hardest positions as multiples of it")
    hardest = [*paradoxes(), ("all fleets convoy", every_fleet_convoys())]
    hardest.append(("one long chain", long_chain()))
    for name, turn in hardest:
        units = len(turn.position.units)
        print(f"  {name:20}{units:4} units{seconds(turn) / middle:8.1f} x")


def growth() -> None:
    """The median time of a phase with more and more units on a large board."""
    variant, rng = grid(*GRID), Random(7)
    print(f"\ngrowth on a board of {len(variant.board.provinces)} provinces")
    for units in UNITS:
        middle = median(seconds(crowd(variant, units, rng)) for _ in range(40)) * 1e6
        print(f"  {units:4} units{middle:8.0f} µs{middle / units:8.1f} µs each")


def seconds(turn: Turn) -> float:
    """The best of some tries, each from a position that nobody has looked at yet."""
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
