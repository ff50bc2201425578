"""Ice (Loeb9, DATC 8): in fall nobody moves, retreats or convoys into, out of or over such a sea,
and nobody in it gives support. The board of fall simply has no borders there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.board import Board, Province
from judge.legality.refusal import Illegal
from judge.orders import Convoy, Move, Order, Retreat, Support
from judge.variant_rules.base import VariantRule

if TYPE_CHECKING:
    from judge.position import Position


class Ice(VariantRule):
    """The provinces marked `ice` are frozen in fall."""

    def board_in(self, season: str, board: Board) -> Board:
        """Return in fall the board without a way in, out of or over the ice."""
        if season != "F":
            return board
        ice = {province.id for province in board.provinces if province.ice}
        borders = [
            border
            for border in board.borders
            if not {border.one.partition("/")[0], border.other.partition("/")[0]} & ice
        ]
        provinces = [replace(p, convoys=p.convoys and not p.ice) for p in board.provinces]
        return board.changed(provinces=provinces, borders=borders)

    def objection(self, order: Order, position: Position) -> Illegal | None:
        """Say that the sea is frozen, where an order has to do with it in fall."""
        if position.phase.season != "F":
            return None
        frozen = next((place for place in _places(order) if place.ice), None)
        if frozen is None:
            return None
        return Illegal(
            f"{frozen} is frozen in fall: no unit moves into or out of it, retreats there, "
            "convoys, or gives support from there."
        )


def _places(order: Order) -> tuple[Province, ...]:
    """Return where the order wants its unit to do something: there, and where it would go."""
    if isinstance(order, Move | Retreat | Support):
        to = order.to.province if order.to else None
        return (order.unit.location.province, *([to] if to else []))
    return (order.unit.location.province,) if isinstance(order, Convoy) else ()
