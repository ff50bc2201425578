"""PyPI `diplomacy` over the turns on standard input; prints phases per second and memory as JSON.

Each line is ``{"state": its own saved state, "orders": {POWER: [line]}}`` in its own notation.
Setting up the position is left out of every figure, as it is for ours.
"""

from __future__ import annotations

import json
import resource
import sys
import warnings
from time import perf_counter

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from diplomacy import Game


def main() -> None:
    turns = [json.loads(line) for line in sys.stdin]
    game = Game()
    for turn in turns[:200]:
        step(game, turn)
    times = [step(game, turn) for turn in turns]
    reading, resolving, rest = (sum(column) for column in zip(*times, strict=True))
    report = {
        "adjudicating": len(turns) / resolving,
        "reading text": len(turns) / reading,
        "text to next state": len(turns) / (reading + resolving + rest),
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(report))


def step(game: Game, turn: dict[str, dict[str, list[str]]]) -> tuple[float, float, float]:
    """Seconds to take the orders, to adjudicate the phase, and to hand out the next state."""
    game.set_state(turn["state"])
    start = perf_counter()
    for power, orders in turn["orders"].items():
        game.set_orders(power, orders)
    taken = perf_counter()
    game.process()
    resolved = perf_counter()
    game.get_state()
    return taken - start, resolved - taken, perf_counter() - resolved


if __name__ == "__main__":
    main()
