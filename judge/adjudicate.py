"""Adjudicating a phase: a position and everybody's orders in, results and the next position out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from judge.adjustments import adjudicate_adjustments
from judge.legality.lines import Sheet
from judge.legality.selection import with_implied
from judge.movement.phase import adjudicate_movement
from judge.orders import Order
from judge.outcome import Outcome
from judge.phase import Step
from judge.position import Position
from judge.retreats import adjudicate_retreats
from judge.rulebook import DATC, Rulebook
from judge.text.sheets import read_sheets


def adjudicate(
    position: Position,
    orders: Mapping[str, Sequence[str | Order]],
    rules: Rulebook = DATC,
) -> Outcome:
    """Adjudicate the phase of the position.

    `orders` has each power's lines from top to bottom, as text or as values; leave out a power that
    wrote nothing. Nothing that players can write raises. Raises PositionError for an unknown power
    or anything but a list of lines, JudgeError for a line that is neither text nor an order.
    """
    return adjudicate_sheets(position, checked_sheets(position, orders, rules), rules)


def checked_sheets(
    position: Position, orders: Mapping[str, Sequence[str | Order]], rules: Rulebook = DATC
) -> list[Sheet]:
    """Read and check what everybody wrote, line by line: the first half of `adjudicate`.

    Raises what `adjudicate` raises.
    """
    sheets = read_sheets(position, orders, rules)
    if rules.implicit_orders == "a" and position.phase.step == "M":
        return [with_implied(sheet, position, rules) for sheet in sheets]
    return sheets


def adjudicate_sheets(
    position: Position, sheets: Sequence[Sheet], rules: Rulebook = DATC
) -> Outcome:
    """Adjudicate the sheets that `checked_sheets` returned for this position and these rules: the
    second half."""
    return _BY_STEP[position.phase.step](position, sheets, rules)


_BY_STEP: dict[Step, Callable[[Position, Sequence[Sheet], Rulebook], Outcome]] = {
    "M": adjudicate_movement,
    "R": adjudicate_retreats,
    "A": adjudicate_adjustments,
}
