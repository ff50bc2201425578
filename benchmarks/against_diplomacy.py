"""Play random games through our judge and through PyPI `diplomacy` and report every difference.

    python -m benchmarks.against_diplomacy --games 200 --seed 1

Both adjudicate each phase from the same position; the game goes on from our result. We compare the
next phase, every unit, every dislodged unit with its retreats, and every centre.
docs/judge-differences.md explains the causes. A difference without a cause is printed with a line
for ``python -m judge``, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.causes import explain
from benchmarks.random_games import Orders, random_orders
from benchmarks.rival import Board, Rival, board_of
from judge import Outcome, Position, adjudicate, load_variant

YEARS = 12


@dataclass(frozen=True, slots=True)
class Comparison:
    """One phase adjudicated by both engines."""

    position: Position
    orders: Orders
    outcome: Outcome
    theirs: Board
    results: dict[str, list[str]]
    """Their words for each unit."""

    @property
    def ours(self) -> Board:
        return board_of(self.outcome.next)

    @property
    def agrees(self) -> bool:
        return self.ours == self.theirs

    def causes(self) -> frozenset[str]:
        """Why the two differ; empty if we cannot explain it."""
        return explain(self.position, self.orders, self.outcome, self.theirs, self.results)

    def as_line(self, name: str) -> str:
        """The question for ``python -m judge``."""
        written = {power: [str(order) for order in given] for power, given in self.orders.items()}
        return json.dumps({"id": name, **self.position.to_state(), "orders": written})


def play(seed: int, rival: Rival, years: int = YEARS) -> Iterator[Comparison]:
    """The phases of one random game, until a solo or for that many years."""
    rng = Random(seed)
    position = Position.start(load_variant("standard"))
    last = position.phase.year + years
    while position.phase.year < last:
        orders = random_orders(position, rng)
        outcome = adjudicate(position, orders)
        if outcome.winner is not None:
            return
        theirs = rival.adjudicate(position, orders)
        yield Comparison(position, orders, outcome, theirs, rival.results)
        position = outcome.next


def main() -> int:
    options = argparse.ArgumentParser(description="Compare the judge with PyPI diplomacy.")
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seed", type=int, default=1, help="the seed of the first game")
    options.add_argument("--show", type=int, default=5, help="how many unexplained ones to print")
    given = options.parse_args()
    rival, seen, causes = Rival(), Counter[str](), Counter[str]()
    unexplained: list[tuple[str, Comparison]] = []
    for seed in range(given.seed, given.seed + given.games):
        for phase in play(seed, rival):
            seen[phase.position.phase.step] += 1
            if phase.agrees:
                continue
            seen["different"] += 1
            found = phase.causes()
            causes.update(found)
            if not found:
                unexplained.append((f"{seed}/{phase.position.phase}", phase))
    print(f"{given.games} games: {seen['M']} movement, {seen['R']} retreat, {seen['A']} adjustment")
    print(f"phases; {seen['different']} of them different, {len(unexplained)} unexplained")
    for cause, count in causes.most_common():
        print(f"{count:6}  {cause}")
    for name, phase in unexplained[: given.show]:
        print_difference(name, phase)
    return 1 if unexplained else 0


def print_difference(name: str, phase: Comparison) -> None:
    """Print the question, and what only one of the two answers."""
    ours, theirs = phase.ours, phase.theirs
    print(f"\n{name}\n{phase.as_line(name)}")
    if ours.phase != theirs.phase:
        print(f"  phase: ours {ours.phase}, theirs {theirs.phase}")
    for part in ("units", "dislodged", "centers"):
        one, other = getattr(ours, part), getattr(theirs, part)
        if one != other:
            print(f"  {part}: only ours {sorted(map(str, one - other))}")
            print(f"  {part}: only theirs {sorted(map(str, other - one))}")


if __name__ == "__main__":
    sys.exit(main())
