"""What makes an order of a movement phase illegal, order by order."""

from __future__ import annotations

from judge.board import Board, mask_of
from judge.convoys import has_route, is_useful, roundabout_fleets
from judge.legality.refusal import Illegal, either_place, not_own
from judge.orders import Convoy, Hold, Move, Support
from judge.places import Location, Province
from judge.position import Position
from judge.rulebook import Rulebook
from judge.units import Unit
from judge.wording import either


def illegal_hold(order: Hold, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    """A unit holds where it stands."""
    return not_own(order.unit, position, power)


def illegal_move(order: Move, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    """A unit moves where it can get, by itself or convoyed."""
    unit, to = order.unit, order.to
    return (
        not_own(unit, position, power)
        or _impossible_path(order, position, rules)
        or impossible_move(unit, to, position, rules, via_convoy=order.via_convoy)
    )


def _impossible_path(order: Move, position: Position, rules: Rulebook) -> Illegal | None:
    """Return why the army cannot be convoyed by the path it names, where paths count (4.A.6)."""
    if not order.path or rules.convoy_paths == "a":
        return None
    start, end = order.unit.at, order.to.province.index
    waters = mask_of(water.province.index for water in order.path)
    fleets = waters & position.fleets_at_sea
    if fleets == waters and has_route(position.variant.board, start, end, fleets):
        return None
    path = " - ".join(str(water) for water in order.path)
    return Illegal(f"There are no fleets that could convoy {order.unit} by way of {path}.")


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

    `without` masks fleets that cannot convoy it because they support it (6.D.31). With `any_coast`
    a coast may be missing where two are possible, as in a support (4.B.4).
    """
    if to.province == unit.location.province:
        return Illegal(f"{unit} is already in {to.province}.")
    own_rules = position.variant.own_rules
    if own_rules and any(rule.carries(unit, to, position) for rule in own_rules):
        return None
    if unit.kind == "F":
        return _impossible_sailing(unit, to, position, rules, any_coast)
    board = position.variant.board
    by_land = board.army_reach[unit.location.index] >> to.province.index & 1
    if by_land and not (via_convoy and rules.adjacent_convoys in _BY_CONVOY_ONLY):
        return None
    if to.province.kind != "coast" or unit.location.province.kind != "coast":
        return _no_coast(unit, to.province) if by_land else _unreachable(unit, to.province, board)
    start, end = unit.at, to.province.index
    if has_route(board, start, end, position.fleets_at_sea & ~without):
        return None
    if without and has_route(board, start, end, position.fleets_at_sea):
        return Illegal(
            f"{unit} could only get to {to.province} by the convoy of the supporting fleet."
        )
    return _no_convoy(unit, to.province, board, by_land=bool(by_land))


_BY_CONVOY_ONLY = ("2000", "2025EE", "DPTG")
"""“Via convoy” may rule out the way over land; otherwise that way is open without a convoy
(4.A.3)."""


def _no_coast(unit: Unit, province: Province) -> Illegal:
    inland = province if province.kind == "land" else unit.location.province
    return Illegal(
        f"No convoy goes from {unit.location.province} to {province}, as {inland} has no coast: "
        "leave out “via Convoy” to go over land."
    )


def _no_convoy(unit: Unit, province: Province, board: Board, *, by_land: bool) -> Illegal:
    if by_land:
        return Illegal(f"There are no fleets that could convoy {unit} to {province}.")
    return Illegal(
        f"{unit} cannot reach {province}: it is not adjacent, "
        f"and there are no fleets that could convoy it. {reach_of(unit, board)}"
    )


def _impossible_sailing(
    unit: Unit, to: Location, position: Position, rules: Rulebook, any_coast: bool
) -> Illegal | None:
    arrivals = position.variant.board.arrivals("F", unit.location, to.province)
    if not arrivals:
        return _unreachable(unit, to.province, position.variant.board)
    if to in arrivals:
        return None
    if to.coast is None:
        if len(arrivals) == 1 and rules.one_coast_possible == "a":
            return None
        if any_coast or rules.two_coasts_possible == "default":
            return None
        return Illegal(f"{unit} - {to} needs a coast: write {either_place(arrivals)}.")
    if rules.impossible_coast == "a" and len(arrivals) == 1:
        return None
    return Illegal(f"{unit} cannot reach {to}, only {either_place(arrivals)}.")


def _unreachable(unit: Unit, province: Province, board: Board) -> Illegal:
    if unit.kind == "A" and province.kind == "sea":
        why = f"cannot go to {province}: armies do not go to sea."
    elif unit.kind == "F" and province.kind == "land":
        why = f"cannot go to {province}: fleets do not go inland."
    else:
        why = f"cannot reach {province}."
    return Illegal(f"{unit} {why} {reach_of(unit, board)}")


def reach_of(
    unit: Unit, board: Board, *, who: str = "It", can: str = "go to", coasts: bool = True
) -> str:
    """Say where the unit, called `who`, can go by itself: what would have been legal."""
    places = board.steps("F" if unit.kind == "F" else "A", unit.location)
    if not places:
        return "By itself it reaches no other province."
    names = sorted({str(place if coasts else place.province) for place in places})
    return f"{who} can {can} {either(names)}."


def illegal_support(
    order: Support, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """A unit supports into a province it could enter itself."""
    wrong = not_own(order.unit, position, power)
    if wrong:
        return wrong
    unit, supported, to = order.unit, order.supported, order.to
    other = position.layout.unit_at[supported.at]
    target = (to or supported.location).province
    reach = position.variant.board.support_reaches[unit.kind][unit.location.index]
    itself = supported.location.province == unit.location.province
    if other is None or itself or not reach >> target.index & 1:
        return _impossible_support(unit, supported, target, other, position.variant.board)
    if to is None:
        return None
    return _impossible_supported_move(order, other, position, power, rules)


def _impossible_support(
    unit: Unit, supported: Unit, target: Province, other: Unit | None, board: Board
) -> Illegal:
    """Return why the unit cannot support into `target`, where `other` is the unit to support."""
    if unit.location.province == supported.location.province:
        return Illegal(f"{unit} cannot support itself.")
    if target == unit.location.province:
        return Illegal(f"{unit} cannot support an attack on its own province.")
    if other is None:
        return Illegal(f"There is no unit in {supported.location.province} to support.")
    why = f"{unit} cannot support into {target}, which it cannot reach itself."
    return Illegal(f"{why} {reach_of(unit, board, can='support into', coasts=False)}")


def _impossible_supported_move(
    order: Support, supported: Unit, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    assert order.to is not None, "only a support of a move has a destination"
    to, own_rules = order.to.province, position.variant.own_rules
    if own_rules and any(rule.rides(supported, to, position) for rule in own_rules):
        return None
    unsaid = _missing_coast(order, supported, position, power, rules)
    return unsaid or impossible_move(
        supported,
        order.to,
        position,
        rules,
        without=1 << order.unit.at,
        any_coast=True,
    )


def _missing_coast(
    order: Support, supported: Unit, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """Apply those choices of 4.B.4 that ask for the coast of a supported fleet's destination."""
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
    return Illegal(f"The support of {supported} needs a coast: write {either_place(arrivals)}.")


def illegal_convoy(
    order: Convoy, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """A fleet at sea convoys along a proper route of the fleets that are there (4.E.1)."""
    wrong = not_own(order.unit, position, power)
    if wrong:
        return wrong
    unit, start, end = order.unit, order.army.location.province, order.to.province
    army = position.layout.unit_at[start.index]
    if unit.kind != "F" or not unit.location.province.convoys:
        provinces = position.variant.board.provinces
        coasts = [place.name for place in provinces if place.convoys and place.kind != "sea"]
        where = f"at sea or in {either(coasts)}" if coasts else "at sea"
        return Illegal(f"{unit} cannot convoy: only a fleet {where} can.")
    if army is None:
        return Illegal(f"There is no army in {start} to convoy.")
    if army.kind != "A":
        return Illegal(f"{army} is a fleet, and only armies can be convoyed.")
    if start == end:
        return Illegal(f"{army} is already in {end}.")
    if start.kind != "coast" or end.kind != "coast":
        return Illegal(f"A convoy goes from coast to coast, not from {start} to {end}.")
    board, fleets = position.variant.board, position.layout.fleets_at_sea
    fleet = unit.at
    if rules.illegal_orders == "DPTG":
        useful = bool(roundabout_fleets(board, start.index, end.index, fleets) >> fleet & 1)
    else:
        useful = is_useful(board, start.index, end.index, fleets, fleet)
    if not useful:
        return Illegal(f"{unit} is on no route from {start} to {end} with the fleets now at sea.")
    return None
