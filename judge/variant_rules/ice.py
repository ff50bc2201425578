"""Ice (Loeb9, DATC 8): in fall nobody moves, retreats or convoys into, out of or over such a sea,
and nobody in it gives support. The board of fall simply has no borders there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.board import Board, mask_of
from judge.convoys import has_route
from judge.legality.refusal import Illegal
from judge.orders import Convoy, Move, Order, Retreat, Support
from judge.places import Location, Province
from judge.units import Unit
from judge.variant_rules.base import VariantRule

if TYPE_CHECKING:
    from judge.position import Position


class Ice(VariantRule):
    """The provinces marked `ice` are frozen in fall."""

    def board_in(self, season: str, board: Board) -> Board:
        """Return, in fall, the board without any way into, out of or over the ice."""
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
        """Say that the sea is frozen, if an order has to do with it in fall."""
        if position.phase.season != "F":
            return None
        frozen = next((place for place in _places(order) if place.ice), None)
        if frozen is None:
            frozen = _closed_sea(order, position)
        if frozen is None:
            return None
        return Illegal(
            f"{frozen} is frozen in fall: no unit moves into or out of it, retreats there, "
            "convoys, or gives support from there."
        )


def _closed_sea(order: Order, position: Position) -> Province | None:
    """Return the sea with the fleet that would make a route for the army if it were not frozen."""
    army, to = _voyage(order)
    now, year_round = position.variant, position.variant.year_round
    if army is None or to is None or year_round is None or to.province.kind != "coast":
        return None
    start, end = army.at, to.province.index
    iced = [p for p in year_round.board.provinces if p.ice and _is_fleet(position.unit_at[p.index])]
    fleets = position.fleets_at_sea | mask_of(province.index for province in iced)
    opens = has_route(year_round.board, start, end, fleets)
    return iced[0] if opens and not has_route(now.board, start, end, fleets) else None


def _is_fleet(unit: Unit | None) -> bool:
    return unit is not None and unit.kind == "F"


def _voyage(order: Order) -> tuple[Unit | None, Location | None]:
    """Return the army that the order wants at sea, and where it would land."""
    if isinstance(order, Convoy):
        return order.army, order.to
    moved = order.unit if isinstance(order, Move) else None
    if isinstance(order, Support):
        moved = order.supported
    to = order.to if isinstance(order, Move | Support) else None
    return (moved, to) if moved and moved.kind == "A" else (None, None)


def _places(order: Order) -> tuple[Province, ...]:
    """Return where the order wants its unit to act: the place it stands, and where it would go."""
    if isinstance(order, Move | Retreat | Support):
        to = order.to.province if order.to else None
        return (order.unit.location.province, *([to] if to else []))
    return (order.unit.location.province,) if isinstance(order, Convoy) else ()
