"""The units of a position, province by province, as the resolver wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.board import mask_of
from judge.units import Unit
from judge.variant import Variant


@dataclass(slots=True)
class Layout:
    """The undislodged units of a position, province by province; masks are over provinces."""

    unit_at: list[Unit | None]
    """The unit in each province."""
    rank: list[int]
    """For each province with a unit, which of the position's units it is."""
    occupied: int
    """The provinces with a unit."""
    units_of: dict[str, int]
    """The units of each power."""
    own: list[int]
    """For each province with a unit, all units of the same power."""
    fleets_at_sea: int
    """The provinces with a fleet that can convoy, whatever its orders."""


def layout_of(units: Sequence[Unit], variant: Variant) -> Layout:
    """Return the layout of these units."""
    board = variant.board
    bit = board.bit
    unit_at: list[Unit | None] = [None] * len(bit)
    rank, own = [0] * len(bit), [0] * len(bit)
    units_of = dict.fromkeys(variant.by_name, 0)
    for number, unit in enumerate(units):
        index = unit.at
        unit_at[index], rank[index] = unit, number
        units_of[unit.power] |= bit[index]
    for unit in units:
        own[unit.at] = units_of[unit.power]
    occupied = 0
    for mask in units_of.values():
        occupied |= mask
    afloat = occupied & board.convoyable
    if afloat & board.coastal:
        # On a coast that convoys, an army may stand as well.
        afloat &= mask_of(unit.at for unit in units if unit.kind == "F")
    return Layout(unit_at, rank, occupied, units_of, own, afloat)
