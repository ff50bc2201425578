"""What the tests run: one seed twice, and every planted fault with a seed that finds it soon.

    python -m tests.simulate.proof TEMPLATE

TEMPLATE is a migrated SQLite file. Prints a JSON object: by name what came of each simulation.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from tests.simulate.__main__ import begin, is_stormy

SEED = 1
DAYS = 1.0
LONGEST = 1.5
SEEDS = range(1, 7)
"""Tried after the one that found a fault when it was planted: another wording changes what people
write, and with that all that follows."""


def main() -> None:
    begin("tests.simulate.proof")
    from tests.simulate.planted import PLANTS
    from tests.simulate.run import make_ready, simulated

    [template] = sys.argv[1:]
    make_ready()
    told = {name: simulated(SEED, template, days=DAYS, games=1) for name in ("once", "again")}
    told["several"] = simulated(SEED, template, days=0.4, games=2)
    for name, plant in PLANTS.items():
        for seed in (plant.seed, *SEEDS) if plant.in_every_run else ():
            told[name] = simulated(
                seed, template, days=LONGEST, games=1, plant=name, stormy=is_stormy(seed)
            )
            if plant.found_as in told[name].fault:
                break
    print(json.dumps({name: asdict(one) for name, one in told.items()}))


if __name__ == "__main__":
    main()
