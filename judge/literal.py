"""The short way from a written order to an order, where each unit stands just as it was written.

Nearly all orders that programs print and players copy are such. The long way, `judge.meaning`,
would find the same and has much more to ask: of the rules, and of other units and provinces.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.board import Board
from judge.orders import Hold, Move, Order, Support
from judge.rulebook import Rulebook
from judge.units import Unit
from judge.written import Written, WrittenUnit

UnitAt = Sequence[Unit | None]
"""The unit in each province, by its index."""


def literal_order(
    written: Written, provinces: Sequence[int], unit_at: UnitAt, board: Board, rules: Rulebook
) -> Order | None:
    """Return what a hold, move or support says to the letter, None where that may not be its
    meaning. `provinces` are those of its places.

    The long way returns the same order without a note, provided that it is plain: see `is_plain`.
    """
    to, action = written.to, written.action
    if written.nation or written.by_convoy or written.unit is None:
        return None
    if to is not None and (to.coast or to.through):
        return None
    unit = standing(written.unit, unit_at[provinces[0]])
    if unit is None:
        return None
    place = None if to is None else board.locations[provinces[-1]]
    if written.aided is not None:
        supported = standing(written.aided, unit_at[provinces[1]])
        foreign_or_not = rules.missing_nationality == rules.wrong_nationality == "b"
        if action != "support" or supported is None or not foreign_or_not:
            return None
        return Support(unit, supported, place)
    if place is not None:
        return Move(unit, place) if action == "move" else None
    return Hold(unit) if action == "hold" else None


def standing(written: WrittenUnit, unit: Unit | None) -> Unit | None:
    """Return the unit of a province if it stands there just as it was written."""
    if unit is None or written.kind != unit.kind:
        return None
    coast = written.place.coast
    return unit if coast is None or coast == unit.location.coast else None
