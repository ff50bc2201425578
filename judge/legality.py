"""What makes an order illegal (DATC 3.2, 4.E.1): legal is read as restrictively as possible.

An order is legal when some orders of the others could make it work with the units that stand on
the board now. Legality never depends on what others order (4.E.3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from judge.board import Location, Province
from judge.convoys import has_route, is_useful, roundabout_fleets
from judge.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.phase import Step
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.units import Unit

_KIND = {"A": "An army", "F": "A fleet", "": "A unit"}


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why an order cannot be followed: one sentence fit for the player."""

    sentence: str


def illegality(
    order: Order, position: Position, power: str, rules: Rulebook = DATC
) -> Illegal | None:
    """Return why `power` may not give that order in the position, or None when it is legal.

    Looks at the order alone: what a second order to a unit or a build too many means is decided by
    `judge.selection`.
    """
    step = position.phase.step
    check = _CHECKS[step].get(type(order))
    if check is None:
        return Illegal(_WRONG_PHASE[step])
    return check(order, position, power, rules)


_WRONG_PHASE: dict[Step, str] = {
    "M": "In a movement phase a unit can hold, move, support or convoy.",
    "R": "In a retreat phase a dislodged unit can only retreat or disband.",
    "A": "In an adjustment phase only builds and disbands can be ordered.",
}


def _own_unit(unit: Unit, position: Position, power: str) -> Illegal | None:
    here = position.layout.unit_at[unit.location.province.index]
    if here is None:
        return Illegal(f"There is no unit in {unit.location.province}.")
    if here.power != power:
        return Illegal(f"{here} belongs to {here.power}.")
    return None


def _hold(order: Hold, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    return _own_unit(order.unit, position, power)


def _move(order: Move, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    unit, to = order.unit, order.to
    here = position.layout.unit_at[unit.location.province.index]
    if here is not None and here.power == power and not order.via_convoy:
        board = position.variant.board
        goals = board.army_goals if unit.kind == "A" else board.fleet_goals
        if goals[unit.location.index] >> to.index & 1:
            return None
    return _own_unit(order.unit, position, power) or impossible_move(
        order.unit, order.to, position, rules, via_convoy=order.via_convoy
    )


def impossible_move(
    unit: Unit,
    to: Location,
    position: Position,
    rules: Rulebook,
    *,
    via_convoy: bool = False,
    without: int = 0,
    any_coast: bool = False,
) -> Illegal | None:
    """Return why the unit can never get to `to`, or None.

    `without` masks fleets that cannot convoy it, being the ones that support it (6.D.31). With
    `any_coast` a coast may be missing where two are possible, as in a support (4.B.4).
    """
    if to.province == unit.location.province:
        return Illegal(f"{unit} is in {to.province} already.")
    if unit.kind == "F":
        return _impossible_sailing(unit, to, position, rules, any_coast)
    board = position.variant.board
    by_land = board.army_reach[unit.location.index] >> to.province.index & 1
    if by_land and not via_convoy:
        return None
    if to.province.kind != "coast" or unit.location.province.kind != "coast":
        return _unreachable(unit, to.province)
    start, end = unit.location.province.index, to.province.index
    if has_route(board, start, end, position.fleets_at_sea & ~without):
        return None
    if without and has_route(board, start, end, position.fleets_at_sea):
        return Illegal(
            f"{unit} could only get to {to.province} by the convoy of the supporting fleet."
        )
    if by_land:
        return Illegal(f"There are no fleets that could convoy {unit} to {to.province}.")
    return Illegal(
        f"{unit} cannot reach {to.province}: it is not adjacent, "
        "and there are no fleets that could convoy it."
    )


def _impossible_sailing(
    unit: Unit, to: Location, position: Position, rules: Rulebook, any_coast: bool
) -> Illegal | None:
    arrivals = position.variant.board.arrivals("F", unit.location, to.province)
    if not arrivals:
        return _unreachable(unit, to.province)
    if to in arrivals:
        return None
    if to.coast is None:
        if len(arrivals) == 1 and rules.one_coast_possible == "a":
            return None
        if any_coast or rules.two_coasts_possible == "default":
            return None
        return Illegal(f"{unit} - {to} needs a coast: write {_or(arrivals)}.")
    if rules.impossible_coast == "a" and len(arrivals) == 1:
        return None
    return Illegal(f"{unit} cannot reach {to}, only {_or(arrivals)}.")


def _unreachable(unit: Unit, province: Province) -> Illegal:
    if unit.kind == "A" and province.kind == "sea":
        return Illegal(f"{unit} cannot go to {province}: armies do not go to sea.")
    if unit.kind == "F" and province.kind == "land":
        return Illegal(f"{unit} cannot go to {province}: fleets do not go inland.")
    return Illegal(f"{unit} cannot reach {province}.")


def _or(places: tuple[Location, ...]) -> str:
    return " or ".join(str(place) for place in places)


def _support(order: Support, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    unit, supported, to = order.unit, order.supported, order.to
    own = position.layout.unit_at[unit.location.province.index]
    if own is None or own.power != power:
        return _own_unit(unit, position, power)
    other = position.layout.unit_at[supported.location.province.index]
    board = position.variant.board
    target = (to or supported.location).province
    reach = board.army_reach if own.kind == "A" else board.fleet_reach
    if other is None or other is own or not reach[own.location.index] >> target.index & 1:
        return _impossible_support(own, supported, target, other)
    if to is None:
        return None
    if to.coast is not None or not to.province.coasts:
        goals = board.army_goals if other.kind == "A" else board.fleet_goals
        if goals[other.location.index] >> to.index & 1:
            return None
    return _impossible_supported_move(order, other, position, power, rules)


def _impossible_support(
    unit: Unit, supported: Unit, target: Province, other: Unit | None
) -> Illegal:
    """Return why the unit cannot support into `target`, where `other` is the unit to support."""
    if unit.location.province == supported.location.province:
        return Illegal(f"{unit} cannot support itself.")
    if target == unit.location.province:
        return Illegal(f"{unit} cannot support an attack on its own province.")
    if other is None:
        return Illegal(f"There is no unit in {supported.location.province} to support.")
    return Illegal(f"{unit} cannot support into {target}, which it cannot reach itself.")


def _impossible_supported_move(
    order: Support, supported: Unit, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    assert order.to is not None, "only a support of a move has a destination"
    unsaid = _missing_coast(order, supported, position, power, rules)
    return unsaid or impossible_move(
        supported,
        order.to,
        position,
        rules,
        without=1 << order.unit.location.province.index,
        any_coast=True,
    )


def _missing_coast(
    order: Support, supported: Unit, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """Apply the choices of 4.B.4 that ask for the coast of a supported fleet's destination."""
    if (
        rules.support_coast not in "ab"
        or supported.kind != "F"
        or order.to is None
        or order.to.coast
    ):
        return None
    arrivals = position.variant.board.arrivals("F", supported.location, order.to.province)
    if len(arrivals) < 2 or (rules.support_coast == "b" and supported.power == power):
        return None
    return Illegal(f"The support of {supported} needs a coast: write {_or(arrivals)}.")


def _convoy(order: Convoy, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    wrong = _own_unit(order.unit, position, power)
    if wrong:
        return wrong
    unit, start, end = order.unit, order.army.location.province, order.to.province
    army = position.layout.unit_at[start.index]
    if unit.kind != "F" or not unit.location.province.convoys:
        return Illegal(f"{unit} cannot convoy: only a fleet at sea can.")
    if army is None:
        return Illegal(f"There is no army in {start} to convoy.")
    if army.kind != "A":
        return Illegal(f"{army} is a fleet, and only armies can be convoyed.")
    if start == end:
        return Illegal(f"{army} is in {end} already.")
    if start.kind != "coast" or end.kind != "coast":
        return Illegal(f"A convoy goes from coast to coast, not from {start} to {end}.")
    board, fleets = position.variant.board, position.layout.fleets_at_sea
    fleet = unit.location.province.index
    if rules.illegal_orders == "DPTG":
        useful = bool(roundabout_fleets(board, start.index, end.index, fleets) >> fleet & 1)
    else:
        useful = is_useful(board, start.index, end.index, fleets, fleet)
    if not useful:
        return Illegal(f"{unit} is on no route from {start} to {end} with the fleets now at sea.")
    return None


def _dislodged(unit: Unit, position: Position, power: str) -> Illegal | None:
    province = unit.location.province
    here = position.dislodged_in.get(province)
    if here is None:
        standing = position.layout.unit_at[province.index]
        if standing is None:
            return Illegal(f"There is no dislodged unit in {province}.")
        return Illegal(f"{standing} is not dislodged.")
    if here.unit.power != power:
        return Illegal(f"{here.unit} belongs to {here.unit.power}.")
    return None


def _retreat(
    order: Retreat | Move, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    wrong = _dislodged(order.unit, position, power)
    if wrong:
        return wrong
    dislodged = position.dislodged_in[order.unit.location.province]
    if retreat_place(order.to, dislodged.retreats):
        return None
    may = f"It may retreat to {_or(dislodged.retreats)}." if dislodged.retreats else ""
    return Illegal(f"{dislodged.unit} may not retreat to {order.to}. {may}".rstrip())


def retreat_place(to: Location, retreats: tuple[Location, ...]) -> Location | None:
    """Return the retreat that `to` means: itself, or the only one in a province with coasts."""
    if to in retreats:
        return to
    there = [place for place in retreats if place.province == to.province]
    return there[0] if to.coast is None and len(there) == 1 else None


def _retreat_disband(
    order: Disband, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    return _dislodged(order.unit, position, power)


def _winter_disband(
    order: Disband, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    wrong = _own_unit(order.unit, position, power)
    if wrong is None and position.adjustment(power) >= 0:
        return Illegal(f"{power} has no unit to disband.")
    return wrong


def _build(order: Build, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    if order.power != power:
        return Illegal(f"{power} cannot build for {order.power}.")
    province = order.location.province
    if position.adjustment(power) < 0:
        return Illegal(f"{power} has more units than centers and cannot build.")
    return _no_site(province, position, power) or _no_such_build(order, position, rules)


def _no_site(province: Province, position: Position, power: str) -> Illegal | None:
    owner = position.centers.get(province)
    home = position.variant.home_centers(power)
    standing = position.layout.unit_at[province.index]
    if not province.center:
        return Illegal(f"{province} is no supply center.")
    if position.variant.build_sites == "home" and province not in home:
        return Illegal(f"{province} is no home center of {power}.")
    if owner != power:
        return Illegal(f"{province} belongs to {owner or 'nobody'}, not to {power}.")
    if standing:
        return Illegal(f"{province} is occupied by {standing}.")
    if position.adjustment(power) == 0:
        return Illegal(f"{power} has no unit to build.")
    return None


def _no_such_build(order: Build, position: Position, rules: Rulebook) -> Illegal | None:
    at = order.location
    if order.kind == "A":
        return None
    places = position.variant.board.fleet_places(at.province)
    if order.kind == "":
        return Illegal(f"Build {at} needs a letter: write A {at.province} or F {places[0]}.")
    if not places:
        return Illegal(f"{at.province} has no coast: no fleet can be built there.")
    if at in places or rules.build_coast == "default":
        return None
    written = " or ".join(f"Build F {place}" for place in places)
    return Illegal(f"{order} needs a coast: write {written}.")


def _waive(order: Waive, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    if rules.declined_builds == "b":
        return Illegal("Builds may not be declined.")
    if position.adjustment(power) <= 0:
        return Illegal(f"{power} has no build to decline.")
    return None


_Check = Callable[..., Illegal | None]

_CHECKS: dict[Step, dict[type, _Check]] = {
    "M": {Hold: _hold, Move: _move, Support: _support, Convoy: _convoy},
    "R": {Retreat: _retreat, Move: _retreat, Disband: _retreat_disband},
    "A": {Build: _build, Disband: _winter_disband, Waive: _waive},
}
