"""Our judge over the turns on standard input; prints phases per second and memory as JSON.

Each line is ``{"state": JSON Lines state, "orders": {power: [line]}}``. A process of its own, so
that the peak memory is this engine's and no other's.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from judge import Order, Position, adjudicate, load_variant, read_orders


def main() -> None:
    variant = load_variant("standard")
    turns = [json.loads(line) for line in sys.stdin]
    positions = [Position.from_state(variant, turn["state"]) for turn in turns]
    texts = [turn["orders"] for turn in turns]
    orders = [values(position, lines) for position, lines in zip(positions, texts, strict=True)]
    given = list(zip(positions, orders, strict=True))
    written = list(zip(positions, texts, strict=True))
    report = {
        "adjudicating": rate([lambda p=p, o=o: adjudicate(p, o) for p, o in given]),
        "reading text": rate([lambda p=p, t=t: values(p, t) for p, t in written]),
        "text to next state": rate([lambda p=p, t=t: text_to_state(p, t) for p, t in written]),
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(report))


def values(position: Position, texts: Mapping[str, Sequence[str]]) -> dict[str, list[Order]]:
    """The orders that can be read."""
    return {
        power: [r.order for r in read_orders(position, power, lines) if r.order is not None]
        for power, lines in texts.items()
    }


def text_to_state(position: Position, texts: Mapping[str, Sequence[str]]) -> object:
    """All that the JSON Lines door does but for the JSON: results, reasons, next state."""
    outcome = adjudicate(position, texts)
    return outcome.next.to_state(), [(line.result, line.reason) for line in outcome.results]


def rate(work: Sequence[Callable[[], object]]) -> float:
    """Pieces of work per second, after a first round over some of them."""
    for piece in work[:200]:
        piece()
    start = perf_counter()
    for piece in work:
        piece()
    return len(work) / (perf_counter() - start)


if __name__ == "__main__":
    main()
