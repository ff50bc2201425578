"""Orders that nobody wrote and that a support or convoy of the same set implies (DATC 4.E.3 a)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.legality import illegality
from judge.orders import Convoy, Move, Order, Support, UnitOrder
from judge.position import Position
from judge.rulebook import Rulebook
from judge.selection import Sheet, choose
from judge.units import Unit


def with_implied(sheet: Sheet, position: Position, rules: Rulebook) -> Sheet:
    """Return the sheet with the moves that its supports and convoys imply, behind its lines.

    A unit's own order goes first, and supports that imply different moves imply none.
    """
    lines = choose(list(sheet.lines()), position, rules)
    orders = [line.order for line in lines if line.counts and line.order]
    ordered = {order.unit for order in orders if isinstance(order, UnitOrder)}
    moves: dict[Unit, set[Move]] = {}
    for move in _named(orders):
        if move.unit.power == sheet.power and move.unit not in ordered:
            moves.setdefault(move.unit, set()).add(move)
    implied = [one for one, *others in moves.values() if not others]
    legal = [one for one in implied if not illegality(one, position, sheet.power, rules)]
    none = (None,) * len(legal)
    return Sheet(
        sheet.power,
        (*sheet.texts, *none),
        (*sheet.orders, *legal),
        (*sheet.refusals, *none),
    )


def _named(orders: Iterable[Order]) -> Iterator[Move]:
    """Yield the moves of other units that the orders speak of."""
    for order in orders:
        if isinstance(order, Support) and order.to is not None:
            yield Move(order.supported, order.to)
        elif isinstance(order, Convoy):
            yield Move(order.army, order.to)
