"""Our judge over the turns on standard input; prints the seconds it took and its memory as JSON.

    python -m benchmarks.engine_ours "text to next state" < turns

Each line is ``{"state": JSON Lines state, "orders": {power: [line]}}``; the first `WARM_UP` turns
are not measured, the others stretch by stretch. A process of its own for each figure: its peak
memory is that of this work and no other, and it has not met the turns before. Seconds are of
processor time, the machine being shared.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import process_time
from typing import Any

from benchmarks.stopwatch import MEMORY, STRETCH, WARM_UP
from judge import Order, Position, adjudicate, load_variant, read_orders
from judge.adjudicate import adjudicate_sheets, checked_sheets
from judge.legality.selection import Sheet
from judge.movement import convoys

Lines = Mapping[str, Sequence[str]]
Orders = Mapping[str, Sequence[Order]]
Turn = dict[str, Any]


def main() -> None:
    work, prepare = WORK[sys.argv[1]]
    turns = [json.loads(line) for line in sys.stdin]
    told = list(seconds(work, turns, prepare))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({sys.argv[1]: told, MEMORY: memory}))


def as_text(turn: Turn) -> tuple[Position, Lines]:
    """A position that nobody has looked at yet, and the lines."""
    return Position.from_state(load_variant("standard"), turn["state"]), turn["orders"]


def as_known_text(turn: Turn) -> tuple[Position, Lines]:
    """The same with lines that this process has read before, as a server that runs for long has."""
    position, lines = as_text(turn)
    read(position, lines)
    return as_text(turn)


def as_values(turn: Turn) -> tuple[Position, Orders]:
    """The same with the orders read."""
    position, lines = as_text(turn)
    return as_text(turn)[0], read(position, lines)


def as_checked(turn: Turn) -> tuple[Position, Sequence[Sheet]]:
    """The same with the orders checked: the other engine refuses illegal ones as it takes them."""
    position, orders = as_values(turn)
    return position, checked_sheets(position, orders)


def adjudicated(position: Position, sheets: Sequence[Sheet]) -> object:
    """The next position, and the word for every order."""
    outcome = adjudicate_sheets(position, sheets)
    return outcome.next, outcome.words


def checked_and_adjudicated(position: Position, orders: Orders) -> object:
    """The same from orders of which nobody knows yet whether they are legal."""
    outcome = adjudicate(position, orders)
    return outcome.next, outcome.words


def explained(position: Position, sheets: Sequence[Sheet]) -> object:
    """The next position, and the word and the reason for every order."""
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


def seconds(
    work: Callable[[Position, Any], object],
    turns: Sequence[Turn],
    prepare: Callable[[Turn], tuple[Position, Any]],
) -> Iterator[float]:
    """Yield the seconds of each stretch; preparing is not part of them, nor is any gain by it."""
    prepared = [prepare(turn) for turn in turns]
    forget_routes()
    gc.freeze()
    for position, orders in prepared[:WARM_UP]:
        work(position, orders)
    for at in range(WARM_UP, len(prepared), STRETCH):
        stretch = prepared[at : at + STRETCH]
        start = process_time()
        for position, orders in stretch:
            work(position, orders)
        yield process_time() - start


def forget_routes() -> None:
    """Empty what the judge remembers of convoy routes, so that no try gains by the one before."""
    for function in vars(convoys).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


WORK: dict[str, tuple[Callable[[Position, Any], object], Callable[[Turn], tuple[Position, Any]]]]
WORK = {
    "adjudicating": (adjudicated, as_checked),
    "with reasons": (explained, as_checked),
    "checking and adjudicating": (checked_and_adjudicated, as_values),
    "reading text": (read, as_text),
    "text to next state": (text_to_state, as_text),
    "the same, lines known": (text_to_state, as_known_text),
}

if __name__ == "__main__":
    main()
