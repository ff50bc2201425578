"""Every planted fault, also those that `make test` leaves out: does its seed still find it?

    python -m tests.simulate.plants.seeds [PART OF THE NAMES]

Prints each fault that its seed does not find any more, with a seed that does, and exits 1 then.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from tests.simulate.__main__ import begin, is_stormy
from tests.simulate.plants.proof import SEEDS

if TYPE_CHECKING:
    from tests.simulate.plants.plant import Plant
    from tests.simulate.world import SeedResult

Find = Callable[[int, list[str]], Mapping[str, "SeedResult"]]
"""What came of each of these faults in a seed."""


def main() -> int:
    folder = begin("tests.simulate.plants.seeds")
    from tests.simulate.plants.planted import PLANTS
    from tests.simulate.run import make_ready, make_template, simulated

    template = str(folder / "template.sqlite3")
    make_template(template)
    make_ready()

    def find(seed: int, names: list[str]) -> Mapping[str, SeedResult]:
        return simulated(seed, template, games=1, plants=names, stormy=is_stormy(seed))

    part = " ".join(sys.argv[1:])
    plants = {name: plant for name, plant in PLANTS.items() if part in name}
    drifted = 0
    for line in drift(plants, find):
        print(line, flush=True)
        drifted += 1
    print(f"{len(plants) - drifted} of {len(plants)} faults are found by their seeds.")
    return 1 if drifted or not plants else 0


def drift(plants: Mapping[str, Plant], find: Find) -> Iterator[str]:
    """A line for each fault that its own seed does not find."""
    by_seed = defaultdict(list)
    for name, plant in plants.items():
        by_seed[plant.seed].append(name)
    for seed, names in sorted(by_seed.items()):
        told = find(seed, names)
        for name in names:
            if plants[name].found_as not in told[name].fault:
                yield f"{name}: not by seed {seed}, {_elsewhere(name, plants[name], find)}"


def _elsewhere(name: str, plant: Plant, find: Find) -> str:
    for seed in SEEDS:
        if seed != plant.seed and plant.found_as in (one := find(seed, [name])[name]).fault:
            return f"but by seed {seed}, after {one.days:.1f} days"
    return "nor by any other that was tried"


if __name__ == "__main__":
    sys.exit(main())
