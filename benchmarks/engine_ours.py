"""Our judge over the turns on standard input; prints phases per second and memory as JSON.

Each line is ``{"state": JSON Lines state, "orders": {power: [line]}}``; the first `WARM_UP` turns
are not measured. A process of its own, so that the peak memory is this engine's and no other's.
Seconds are of processor time, the machine being shared.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Any

from judge import Order, Position, adjudicate, load_variant, read_orders
from judge.adjudicate import adjudicate_sheets, checked_sheets
from judge.selection import Sheet

WARM_UP = 100

Lines = Mapping[str, Sequence[str]]
Orders = Mapping[str, Sequence[Order]]
Turn = dict[str, Any]


def main() -> None:
    turns = [json.loads(line) for line in sys.stdin]
    report = {
        "adjudicating": rate(adjudicate_sheets, turns, as_checked),
        "with results and reasons": rate(adjudicate_and_tell, turns, as_checked),
        "checking and adjudicating": rate(adjudicate, turns, as_values),
        "reading text": rate(read, turns, as_text),
        "text to next state": rate(text_to_state, turns, as_text),
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(report))


def as_text(turn: Turn) -> tuple[Position, Lines]:
    """A position that nobody has looked at yet, and the lines."""
    return Position.from_state(load_variant("standard"), turn["state"]), turn["orders"]


def as_values(turn: Turn) -> tuple[Position, Orders]:
    """The same with the orders read."""
    position, lines = as_text(turn)
    return as_text(turn)[0], read(position, lines)


def as_checked(turn: Turn) -> tuple[Position, Sequence[Sheet]]:
    """The same with the orders checked: the other engine refuses illegal ones as it takes them."""
    position, orders = as_values(turn)
    return position, checked_sheets(position, orders)


def adjudicate_and_tell(position: Position, sheets: Sequence[Sheet]) -> object:
    """Adjudicated, with the word and the reason for every order."""
    outcome = adjudicate_sheets(position, sheets)
    return outcome.next, [(line.result, line.reason) for line in outcome.results]


def read(position: Position, lines: Lines) -> dict[str, list[Order]]:
    """The orders that can be read."""
    return {
        power: [r.order for r in read_orders(position, power, texts) if r.order is not None]
        for power, texts in lines.items()
    }


def text_to_state(position: Position, lines: Lines) -> object:
    """All that the JSON Lines door does but for the JSON: results, reasons, next state."""
    outcome = adjudicate(position, lines)
    return outcome.next.to_state(), [(line.result, line.reason) for line in outcome.results]


def rate(
    work: Callable[[Position, Any], object],
    turns: Sequence[Turn],
    prepare: Callable[[Turn], tuple[Position, Any]],
) -> float:
    """Turns per second; preparing them is not part of it."""
    prepared = [prepare(turn) for turn in turns]
    for position, orders in prepared[:WARM_UP]:
        work(position, orders)
    start = process_time()
    for position, orders in prepared[WARM_UP:]:
        work(position, orders)
    return (len(prepared) - WARM_UP) / (process_time() - start)


if __name__ == "__main__":
    main()
