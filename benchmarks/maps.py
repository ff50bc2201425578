"""What a picture of a phase costs: processor time and size, over crowded phases of random games.

    python -m benchmarks.maps --phases 100
    python -m benchmarks.maps --phases 10 --variant chaos
    python -m benchmarks.maps --phases 5 --variant all

It counts processor time, so what else the machine does hardly matters. A picture as wide as in
mails may take 40 ms and 150 kB once the layers are there.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator

from atlas import Heading, Subject, View, draw
from atlas.scene import stage_of
from benchmarks.random_games import random_orders
from judge import Position, adjudicate, load_variant, variant_names

VIEWS: tuple[View, ...] = ("orders", "board")
ROUNDS = 5


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--phases", type=int, default=100)
    options.add_argument("--variant", default="standard", choices=[*variant_names(), "all"])
    given = options.parse_args()
    for variant in variant_names() if given.variant == "all" else [given.variant]:
        measure(variant, given.phases)


def measure(variant: str, count: int) -> None:
    """Measure what the pictures of one variant cost."""
    phases = crowded(count, variant)
    sheet = stage_of(phases[0].position.variant).sheet
    print(f"{variant}, {'a diagram' if sheet.is_diagram else 'a drawing'}:", end=" ")
    units = [len(subject.position.units) for subject in phases]
    print(f"{len(phases)} movement phases, {min(units)} to {max(units)} units")
    begun = time.process_time()
    draw(phases[0]).png()
    print(f"first picture of the process: {1000 * (time.process_time() - begun):.0f} ms")
    for view in VIEWS:
        show(view, phases)


def show(view: View, phases: list[Subject]) -> None:
    """Print a line for each view: the median phase, the most expensive (each the best of its
    rounds), the sizes."""
    heading = Heading(subtitle=f"marne · {view}")
    best = [float("inf")] * len(phases)
    sizes, texts = [0] * len(phases), [0] * len(phases)
    for _ in range(ROUNDS):
        for number, subject in enumerate(phases):
            begun = time.process_time()
            sizes[number] = len(draw(subject, view, heading).png())
            best[number] = min(best[number], time.process_time() - begun)
            texts[number] = len(draw(subject, view, heading).svg())
    print(
        f"{view}: PNG median {1000 * statistics.median(best):.1f} ms,"
        f" most {1000 * max(best):.1f} ms; {min(sizes) / 1000:.0f} to {max(sizes) / 1000:.0f} kB;"
        f" SVG up to {max(texts) / 1000:.0f} kB"
    )


def crowded(count: int, variant: str = "standard") -> list[Subject]:
    """Return the most crowded movement phase of each of that many random games."""
    games = (movements(seed, variant) for seed in range(count))
    found = [max(game, key=lambda s: len(s.position.units)) for game in games]
    return sorted(found, key=lambda subject: -len(subject.position.units))


def movements(seed: int, variant: str) -> Iterator[Subject]:
    """Yield the movement phases of a random game, adjudicated."""
    rng = random.Random(seed)
    position = Position.start(load_variant(variant))
    for _ in range(60):
        orders = random_orders(position, rng)
        lines = {power: [str(order) for order in given] for power, given in orders.items()}
        outcome = adjudicate(position, lines)
        if position.phase.step == "M":
            yield Subject(position, outcome.results, outcome.next)
        if outcome.winner:
            return
        position = outcome.next


if __name__ == "__main__":
    main()
