"""Our judge over the turns on standard input; prints the seconds it took and its memory as JSON.

    python -m benchmarks.engine_ours "text to next state" < turns

Each line is ``{"state": JSON Lines state, "orders": {power: [line]}}``; the first `WARM_UP` turns
are not measured, the others stretch by stretch. Each figure has a process of its own, so that its
peak memory is that of this work alone, and it has not met the turns before. We count seconds of
processor time, since other programs share the machine.
"""

from __future__ import annotations

import gc
import io
import json
import resource
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import process_time
from typing import Any

from benchmarks.stopwatch import MEMORY, STRETCH, WARM_UP
from judge import Order, Position, adjudicate, convoys, load_variant, read_orders
from judge.adjudicate import adjudicate_sheets, checked_sheets
from judge.jsonl import serve
from judge.legality.lines import Sheet

Lines = Mapping[str, Sequence[str]]
Orders = Mapping[str, Sequence[Order]]
Turn = dict[str, Any]


def main() -> None:
    work, prepare = WORK[sys.argv[1]]
    turns = [json.loads(line) for line in sys.stdin]
    told = list(seconds(work, turns, prepare))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({sys.argv[1]: told, MEMORY: memory}))


# Not measured: the way from a turn to what the work begins with.


def as_text(turn: Turn) -> tuple[Position, Lines]:
    """Return a position that nobody has looked at yet, and the lines."""
    return Position.from_state(load_variant("standard"), turn["state"]), turn["orders"]


def as_known_text(turn: Turn) -> tuple[Position, Lines]:
    """Return the same with lines that this process has read before, like those of a server that has
    run for long."""
    position, lines = as_text(turn)
    read(position, lines)
    return as_text(turn)


def as_values(turn: Turn) -> tuple[Position, Orders]:
    """Return the same with the orders read."""
    position, lines = as_text(turn)
    return as_text(turn)[0], read(position, lines)


def as_checked(turn: Turn) -> tuple[Position, Sequence[Sheet]]:
    """Return the same with the orders checked: the other engine refuses illegal orders when it
    takes them."""
    position, orders = as_values(turn)
    return position, checked_sheets(position, orders)


def as_question(turn: Turn) -> bytes:
    """Return the turn as another program asks about it: one line of JSON."""
    return json.dumps({**turn["state"], "orders": turn["orders"]}).encode()


def as_known_question(turn: Turn) -> bytes:
    """Return the same with lines that this process has read before."""
    as_known_text(turn)
    return as_question(turn)


def as_hasty_question(turn: Turn) -> bytes:
    """Return a question that wants no reasons."""
    return json.dumps({**turn["state"], "orders": turn["orders"], "reasons": False}).encode()


def as_known_hasty_question(turn: Turn) -> bytes:
    """Return the same with lines that this process has read before."""
    as_known_text(turn)
    return as_hasty_question(turn)


# Measured.


def adjudicated(prepared: tuple[Position, Sequence[Sheet]]) -> object:
    """Return the next position, and the word for every order."""
    outcome = adjudicate_sheets(*prepared)
    return outcome.next, outcome.words


def checked_and_adjudicated(prepared: tuple[Position, Orders]) -> object:
    """Return the same from orders that may be illegal."""
    outcome = adjudicate(*prepared)
    return outcome.next, outcome.words


def explained(prepared: tuple[Position, Sequence[Sheet]]) -> object:
    """Return the next position, and the word and the reason for every order."""
    outcome = adjudicate_sheets(*prepared)
    return outcome.next, [(line.result, line.reason) for line in outcome.results]


def read_all(prepared: tuple[Position, Lines]) -> object:
    """Return the orders that can be read."""
    return read(*prepared)


def text_to_state(prepared: tuple[Position, Lines]) -> object:
    """Do all that the JSON Lines door does except the JSON: results, reasons, next state."""
    outcome = adjudicate(*prepared)
    return outcome.next.to_state(), [(line.result, line.reason) for line in outcome.results]


def answered(question: bytes) -> object:
    """Return the answer as it leaves the door: one line of JSON."""
    answer = io.BytesIO()
    serve([question], answer)
    return answer.getvalue()


def read(position: Position, lines: Lines) -> dict[str, list[Order]]:
    """Return the orders that can be read."""
    return {
        power: [r.order for r in read_orders(position, power, texts) if r.order is not None]
        for power, texts in lines.items()
    }


def seconds(
    work: Callable[[Any], object], turns: Sequence[Turn], prepare: Callable[[Turn], object]
) -> Iterator[float]:
    """Yield the seconds of each stretch; neither count the preparations nor gain by them."""
    prepared = [prepare(turn) for turn in turns]
    forget_routes()
    gc.freeze()
    for one in prepared[:WARM_UP]:
        work(one)
    for at in range(WARM_UP, len(prepared), STRETCH):
        stretch = prepared[at : at + STRETCH]
        start = process_time()
        for one in stretch:
            work(one)
        yield process_time() - start


def forget_routes() -> None:
    """Forget the convoy routes that the judge remembers, so that no try gains by the one before."""
    for function in vars(convoys).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


WORK: dict[str, tuple[Callable[[Any], object], Callable[[Turn], object]]]
WORK = {
    "adjudicating": (adjudicated, as_checked),
    "with reasons": (explained, as_checked),
    "checking and adjudicating": (checked_and_adjudicated, as_values),
    "reading text": (read_all, as_text),
    "text to next state": (text_to_state, as_text),
    "the same, lines known": (text_to_state, as_known_text),
    "JSON Lines door": (answered, as_question),
    "the door, lines known": (answered, as_known_question),
    "the door, no reasons": (answered, as_hasty_question),
    "no reasons, lines known": (answered, as_known_hasty_question),
}

if __name__ == "__main__":
    main()
