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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time

from benchmarks.engine_ours import WARM_UP
from benchmarks.large_board import crowd, grid
from benchmarks.rival import order_text, state_of
from benchmarks.turns import Turn, every_fleet_convoys, long_chain, mid_game, paradoxes
from judge import adjudicate, convoys

TARGETS = {"adjudicating": 12, "text to next state": 7}
COMPARED = {
    "adjudicating": "adjudicating",
    "with results and reasons": "adjudicating",
    "checking and adjudicating": "adjudicating",
    "reading text": "reading text",
    "text to next state": "text to next state",
}
"""Our figures, each with the figure of the other engine that it is held against.

The other engine checks orders when it takes them, so that its adjudicating is without the checking;
it gives words for results, but no reasons.
"""
UNITS = (7, 22, 34, 70, 100)
GRID = (16, 12)
REPEATS = 5


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--phases", type=int, default=1000, help="how many turns to measure")
    options.add_argument("--seed", type=int, default=1901)
    given = options.parse_args()
    turns = mid_game(given.phases + WARM_UP, given.seed)
    units = sum(len(turn.position.units) for turn in turns) / len(turns)
    print(f"{given.phases} movement phases of random games, {units:.1f} units each\n")
    side_by_side(turns)
    middle = median(seconds(turn) for turn in turns[:500])
    hard_positions(middle)
    growth()


def side_by_side(turns: Sequence[Turn]) -> None:
    """Both engines, each in a process of its own, on the same turns."""
    ours = run("benchmarks.engine_ours", map(our_line, turns))
    theirs = run("benchmarks.engine_diplomacy", map(their_line, turns))
    print(f"{'phases per second':27}{'judge':>10}{'diplomacy':>12}{'ratio':>8}")
    for name, other in COMPARED.items():
        target = f"  (target {TARGETS[name]})" if name in TARGETS else ""
        ratio = ours[name] / theirs[other]
        print(f"{name:27}{ours[name]:10,.0f}{theirs[other]:12,.0f}{ratio:8.1f}{target}")
    name = "peak memory, MB"
    print(f"{name:27}{ours[name]:10.0f}{theirs[name]:12.0f}\n")


def run(module: str, lines: Iterator[str]) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", module],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    report: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
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


def forget_routes() -> None:
    """Empty what `judge.convoys` remembers of routes, so that no try gains by the one before."""
    for function in vars(convoys).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


if __name__ == "__main__":
    main()
