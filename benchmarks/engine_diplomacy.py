"""PyPI `diplomacy` over the turns on standard input; prints its seconds and memory as JSON.

Each line is ``{"state": its own saved state, "orders": {POWER: [line]}}`` in its own notation; the
first `WARM_UP` turns are not measured, the others stretch by stretch. Setting up the position is no
part of any figure, as it is none of ours. Seconds are of processor time, the machine being shared.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import warnings
from time import process_time

from benchmarks.stopwatch import MEMORY, RIVAL_STRETCH, WARM_UP, stretches

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from diplomacy import Game


def main() -> None:
    turns = [json.loads(line) for line in sys.stdin]
    game = Game()
    gc.freeze()
    times = [step(game, turn) for turn in turns][WARM_UP:]
    report = {
        "adjudicating": stretches((resolving for _, resolving, _ in times), RIVAL_STRETCH),
        "reading text": stretches((reading for reading, _, _ in times), RIVAL_STRETCH),
        "text to next state": stretches(map(sum, times), RIVAL_STRETCH),
        MEMORY: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(report))


def step(game: Game, turn: dict[str, dict[str, list[str]]]) -> tuple[float, float, float]:
    """Seconds to take the orders, to adjudicate the phase, and to hand out the next state."""
    game.set_state(turn["state"])
    start = process_time()
    for power, orders in turn["orders"].items():
        game.set_orders(power, orders)
    taken = process_time()
    game.process()
    resolved = process_time()
    game.get_state()
    return taken - start, resolved - taken, process_time() - resolved


if __name__ == "__main__":
    main()
