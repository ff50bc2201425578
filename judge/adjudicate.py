"""Adjudicating a phase: a position and everybody's orders in, results and the next position out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.adjustment_phase import adjudicate_adjustments
from judge.legality import Illegal, illegality
from judge.movement_phase import adjudicate_movement
from judge.orders import Order
from judge.outcome import Outcome
from judge.position import Position, PositionError
from judge.reading import Reading, read_orders
from judge.retreat_phase import adjudicate_retreats
from judge.rulebook import DATC, Rulebook
from judge.selection import Line, select


def adjudicate(
    position: Position,
    orders: Mapping[str, Sequence[str | Order]],
    rules: Rulebook = DATC,
) -> Outcome:
    """Adjudicate the phase of the position.

    `orders` has for each power its lines from top to bottom, as text or as values; a power may be
    missing. Nothing that players can write raises; PositionError is raised for an unknown power.
    """
    lines: list[Line] = []
    for power, written in orders.items():
        if power not in position.variant.by_name:
            raise PositionError(f"There is no power {power!r} in {position.variant.title}.")
        lines += select(tuple(_lines(position, power, written, rules)), position, rules)
    return _BY_STEP[position.phase.step](position, lines, rules)


_BY_STEP = {
    "M": adjudicate_movement,
    "R": adjudicate_retreats,
    "A": adjudicate_adjustments,
}


def _lines(
    position: Position, power: str, written: Sequence[str | Order], rules: Rulebook
) -> Iterator[Line]:
    for entry in written:
        if isinstance(entry, str):
            for reading in read_orders(position, power, [entry], rules):
                yield _as_line(reading, position, power, rules)
        else:
            yield Line(power, str(entry), entry)


def _as_line(reading: Reading, position: Position, power: str, rules: Rulebook) -> Line:
    """Return the line with the reader's objection if it has one."""
    illegal = None
    if reading.problem is not None:
        sentence = " ".join((reading.problem.sentence, *_suggested(reading)))
        found = illegality(reading.order, position, power, rules) if reading.order else None
        illegal = Illegal(sentence, found.word if found else "illegal")
    return Line(power, reading.text, reading.order, illegal)


def _suggested(reading: Reading) -> Iterator[str]:
    if reading.problem and reading.problem.suggestions:
        yield f"Perhaps {' or '.join(reading.problem.suggestions)}?"
