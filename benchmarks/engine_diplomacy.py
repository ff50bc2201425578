"""PyPI `diplomacy` over the turns on standard input; prints its seconds and memory as JSON.

    python -m benchmarks.engine_diplomacy "inner calls" < turns

Each line is ``{"state": its own saved state, "orders": {POWER: [line]}}`` in its own notation; the
first `WARM_UP` turns are not measured, the others stretch by stretch. We count seconds of processor
time, since other programs share the machine.

There are two ways to let it adjudicate. The public calls are those that its documentation names: it
checks each order, keeps a history, makes the next phase. The inner calls are the shortest way
through it: we put units and orders where it looks for them, nobody checks whether an order is
possible, and it returns the units and results of this phase.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import warnings
from collections.abc import Callable
from time import process_time
from typing import Any

from benchmarks.stopwatch import MEMORY, RIVAL_STRETCH, WARM_UP, stretches

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from diplomacy import Game

Turn = dict[str, Any]


def main() -> None:
    work, parts = WORK[sys.argv[1]]
    turns = [json.loads(line) for line in sys.stdin]
    game = Game()
    gc.freeze()
    times = [work(game, turn) for turn in turns][WARM_UP:]
    report: dict[str, object] = {
        part: stretches((step[at] for step in times), RIVAL_STRETCH)
        for at, part in enumerate(parts)
    }
    report[sys.argv[1]] = stretches(map(sum, times), RIVAL_STRETCH)
    report[MEMORY] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(report))


def public_calls(game: Game, turn: Turn) -> tuple[float, float, float]:
    """Return the seconds to take the orders, to adjudicate the phase, and to hand out the next
    state. Setting up the position does not count, and neither does ours."""
    game.set_state(turn["state"])
    start = process_time()
    for power, orders in turn["orders"].items():
        game.set_orders(power, orders)
    taken = process_time()
    game.process()
    resolved = process_time()
    game.get_state()
    return taken - start, resolved - taken, process_time() - resolved


def inner_calls(game: Game, turn: Turn) -> tuple[float, float, float]:
    """Return the seconds to set the position up, to put in the orders, and to adjudicate the
    phase."""
    start = process_time()
    put_units(game, turn["state"]["units"])
    stands = process_time()
    for power, orders in turn["orders"].items():
        game.set_orders(power, orders, expand=False)
    taken = process_time()
    game._determine_orders()
    game._move_results()
    return stands - start, taken - stands, process_time() - taken


def put_units(game: Game, units: dict[str, list[str]]) -> None:
    """Give each power these units and nothing else: a movement phase asks for no more."""
    game.dislodged, game.popped, game.error = {}, [], []
    for name, power in game.powers.items():
        power.units, power.retreats, power.orders = list(units[name]), {}, {}
        power.influence = [unit[2:5] for unit in power.units]
    game.build_caches()


Work = Callable[[Game, Turn], tuple[float, ...]]
WORK: dict[str, tuple[Work, tuple[str, ...]]] = {
    "public calls": (public_calls, ("taking orders", "processing", "next state")),
    "inner calls": (inner_calls, ("setting up", "putting in orders", "resolving")),
}

if __name__ == "__main__":
    main()
