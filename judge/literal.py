"""The short way from a written order to an order, where each unit stands just as it was written.

Nearly all orders that programs print and players copy are such. The long way, `judge.meaning`,
would find the same and has much more to ask: of the rules, and of other units and provinces.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.board import Board
from judge.orders import Convoy, Hold, Move, Order, Support
from judge.rulebook import Rulebook
from judge.units import Unit
from judge.written import Written, WrittenUnit

UnitAt = Sequence[Unit | None]
"""The unit in each province, by its index."""


def literal_order(
    written: Written, provinces: Sequence[int], unit_at: UnitAt, board: Board, rules: Rulebook
) -> Order | None:
    """Return what the order says to the letter, legal or not; None where something is left out or
    put otherwise than it is on the board, so that it may not be what is meant.

    `provinces` are those of its places. The long way returns the same order and nothing to note.
    """
    own, other, to, action = written.unit, written.aided, written.to, written.action
    if own is None or written.nation or (to is not None and (to.coast or to.through)):
        return None
    unit = standing(own, unit_at[provinces[0]])
    if unit is None:
        return None
    end = None if to is None else board.locations[provinces[-1]]
    if other is not None:
        supported = standing(other, unit_at[provinces[1]])
        if supported is None or rules.missing_nationality != "b" or rules.wrong_nationality != "b":
            return None
        if action == "support":
            return Support(unit, supported, end)
        return None if end is None else Convoy(unit, supported, end)
    if action == "move" and end is not None:
        # A fleet may lack its coast, and is never convoyed.
        sure = unit.kind == "A" or not (end.province.coasts or written.by_convoy)
        return Move(unit, end, written.by_convoy) if sure else None
    return Hold(unit) if action == "hold" else None


def standing(written: WrittenUnit, unit: Unit | None) -> Unit | None:
    """Return the unit of a province if it stands there just as it was written."""
    if unit is None or written.kind != unit.kind:
        return None
    coast = written.place.coast
    return unit if coast is None or coast == unit.location.coast else None
