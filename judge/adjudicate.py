"""Adjudicating a phase: a position and everybody's orders in, results and the next position out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.adjustment_phase import adjudicate_adjustments
from judge.legality import Illegal
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
        lines += _lines_of(position, power, written, rules)
    return _BY_STEP[position.phase.step](position, lines, rules)


_BY_STEP = {
    "M": adjudicate_movement,
    "R": adjudicate_retreats,
    "A": adjudicate_adjustments,
}


def _lines_of(
    position: Position, power: str, written: Sequence[str | Order], rules: Rulebook
) -> Sequence[Line]:
    """Return the power's lines, each that does not count with its reason."""
    texts = [entry for entry in written if isinstance(entry, str)]
    if len(texts) == len(written):
        return [_as_line(one, power) for one in read_orders(position, power, texts, rules)]
    return select(tuple(_mixed(position, power, written, rules)), position, rules)


def _mixed(
    position: Position, power: str, written: Sequence[str | Order], rules: Rulebook
) -> Iterator[Line]:
    for entry in written:
        if isinstance(entry, str):
            for reading in read_orders(position, power, [entry], rules):
                yield _as_line(reading, power)
        else:
            yield Line(power, str(entry), entry)


def _as_line(reading: Reading, power: str) -> Line:
    """Return the line as it was read, with the reader's objection if it has one."""
    if reading.counts:
        return Line(power, reading.text, reading.order)
    if reading.problem is None:
        return Line(power, reading.text, reading.order, Illegal(reading.note or "One too many."))
    sentence = " ".join((reading.problem.sentence, *_suggested(reading)))
    return Line(power, reading.text, reading.order, Illegal(sentence))


def _suggested(reading: Reading) -> Iterator[str]:
    if reading.problem and reading.problem.suggestions:
        yield f"Perhaps {' or '.join(reading.problem.suggestions)}?"
