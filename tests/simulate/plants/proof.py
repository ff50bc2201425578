"""What the tests run: one seed twice, and every planted fault with a seed that finds it soon.

    python -m tests.simulate.plants.proof TEMPLATE

TEMPLATE is a migrated SQLite file. Prints a JSON object: by name what came of each simulation.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import asdict
from typing import TYPE_CHECKING

from tests.simulate.__main__ import begin, is_stormy

if TYPE_CHECKING:
    from tests.simulate.world import SeedResult

SEED = 1
DAY = 8
"""The seed whose first day is simulated: six of its phases are processed then."""
TWICE = 47
"""The seed that is simulated twice, over its first deadline."""
SEEDS = range(1, 7)
"""Tried after the one that found a fault when it was planted: another wording changes what people
write, and with that all that follows."""


def main() -> None:
    begin("tests.simulate.plants.proof")
    from tests.simulate.plants.planted import PLANTS
    from tests.simulate.run import make_ready, simulated

    [template] = sys.argv[1:]
    make_ready()

    def found(seed: int, names: list[str]) -> dict[str, SeedResult]:
        return simulated(seed, template, games=1, plants=names, stormy=is_stormy(seed))

    planted = defaultdict(list)
    for name, plant in PLANTS.items():
        if plant.in_every_run:
            planted[plant.seed].append(name)
    told = simulated(SEED, template, games=1, plants=planted.pop(SEED))
    told["days"] = simulated(DAY, template, days=1.0, games=1)[""]
    told["several"] = simulated(SEED, template, days=0.25, games=2)[""]
    for seed, names in planted.items():
        told |= found(seed, names)
        if seed == TWICE:
            told["once"] = told[""]
            latest = max(names, key=lambda name: PLANTS[name].hour)
            told["again"] = found(seed, [latest])[""]
    for seed in SEEDS:
        missed = [
            name
            for name, plant in PLANTS.items()
            if plant.in_every_run and plant.found_as not in told[name].fault
        ]
        told |= found(seed, missed) if missed else {}
    print(json.dumps({name: asdict(one) for name, one in told.items()}))


if __name__ == "__main__":
    main()
