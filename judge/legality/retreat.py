"""What makes an order of a retreat phase illegal."""

from __future__ import annotations

from judge.legality.refusal import Illegal, either_place
from judge.orders import Disband, Move, Retreat
from judge.places import Location
from judge.position import Position
from judge.rulebook import Rulebook
from judge.units import Unit


def _why_not_dislodged(unit: Unit, position: Position, power: str) -> Illegal | None:
    province = unit.location.province
    here = position.dislodged_in.get(province)
    if here is None:
        standing = position.layout.unit_at[province.index]
        if standing is None:
            return Illegal(f"There is no dislodged unit in {province}.")
        return Illegal(f"{standing} is not dislodged.")
    if here.unit.power != power:
        return Illegal(f"{here.unit} belongs to {here.unit.power}.")
    if here.unit.kind != unit.kind or here.unit.location != unit.location:
        return Illegal(f"The dislodged unit in {province} is {here.unit}, not {unit}.")
    return None


def illegal_retreat(
    order: Retreat | Move, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """A dislodged unit goes to one of its retreats."""
    wrong = _why_not_dislodged(order.unit, position, power)
    if wrong:
        return wrong
    dislodged = position.dislodged_in[order.unit.location.province]
    if retreat_place(order.to, dislodged.retreats):
        return None
    may = f" It may retreat to {either_place(dislodged.retreats)}." if dislodged.retreats else ""
    return Illegal(f"{_why_closed(dislodged.unit, order.to, position)}{may}")


def _why_closed(unit: Unit, to: Location, position: Position) -> str:
    """Return why the unit may not retreat to `to`, as far as the position still shows."""
    board = position.variant.board
    there = position.layout.unit_at[to.province.index]
    if not board.reaches[unit.kind][unit.location.index] >> to.province.index & 1:
        return f"{unit} cannot reach {to}."
    if there is not None:
        return f"{unit} cannot retreat to {to}, where {there} stands."
    if to not in board.steps(unit.kind, unit.location):
        return f"{unit} cannot retreat to {to}."
    return f"{unit} may not retreat to {to}: the attack came from there, or others bounced there."


def retreat_place(to: Location, retreats: tuple[Location, ...]) -> Location | None:
    """Return the retreat that `to` means: that place itself, or the only one in a province with
    coasts."""
    if to in retreats:
        return to
    there = [place for place in retreats if place.province == to.province]
    return there[0] if to.coast is None and len(there) == 1 else None


def illegal_retreat_disband(
    order: Disband, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """A dislodged unit may always be disbanded."""
    return _why_not_dislodged(order.unit, position, power)
