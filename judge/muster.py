"""Mustering: the orders that count become a `Struggle`, on integers, before anything is decided.

Here every support and convoy is matched with what its unit was ordered to do, every army that may
take two ways is given its way (4.A.3), and the rulebooks' own rules on paradoxes (4.A.2) mark the
supports that a convoyed attack cannot cut.
"""

from __future__ import annotations

from collections.abc import Mapping

from judge.board import bits
from judge.convoys import has_route, necessary_fleets, route_fleets
from judge.orders import Convoy, Move, MovementOrder, Support
from judge.position import Position
from judge.rulebook import Rulebook
from judge.struggle import NOWHERE, Struggle

Orders = Mapping[int, MovementOrder]
"""The order that counts for each unit, by the index of its province; a unit may have none."""


def muster(position: Position, orders: Orders, rules: Rulebook, unsupported: int = 0) -> Struggle:
    """Return the struggle of these orders; units in `unsupported` receive no hold support."""
    s = _empty(position)
    for unit, order in orders.items():
        if type(order) is Move:
            goal = order.to.province.index
            s.dest[unit] = goal
            s.into[goal] |= 1 << unit
            s.movers |= 1 << unit
    fleets: dict[int, int] = {}
    for unit, order in orders.items():
        if type(order) is Support:
            _match_support(s, unit, order, orders, rules, unsupported)
        elif type(order) is Convoy:
            _match_convoy(s, unit, order, fleets)
    s.by_land = s.pathed = s.movers
    for unit in bits(s.movers):
        _choose_way(s, unit, orders, fleets.get(unit, 0), rules)
    if s.convoyed:
        _protect_supports(s, orders, position, rules)
    return s


def _empty(position: Position) -> Struggle:
    size = len(position.variant.board.provinces)
    mask_by_power: dict[str, int] = {}
    occupied = 0
    for unit in position.units:
        bit = 1 << unit.location.province.index
        occupied |= bit
        mask_by_power[unit.power] = mask_by_power.get(unit.power, 0) | bit
    own = [0] * size
    for unit in position.units:
        own[unit.location.province.index] = mask_by_power[unit.power]
    return Struggle(
        board=position.variant.board,
        occupied=occupied,
        own=own,
        dest=[NOWHERE] * size,
        into=[0] * size,
        helpers=[0] * size,
        target=[NOWHERE] * size,
    )


def _match_support(
    s: Struggle, unit: int, order: Support, orders: Orders, rules: Rulebook, unsupported: int
) -> None:
    """Count the support if the supported unit does what is supported (6.D.7, 6.D.9, 6.B.9)."""
    supported = order.supported.location.province.index
    if order.to is None:
        if s.movers >> supported & 1 or unsupported >> supported & 1:
            return
        s.target[unit] = supported
    else:
        goal = order.to.province.index
        if s.dest[supported] != goal or not _coasts_match(order, orders[supported], rules):
            return
        s.target[unit] = goal
    s.helpers[supported] |= 1 << unit
    s.supporters |= 1 << unit


def _coasts_match(order: Support, move: MovementOrder, rules: Rulebook) -> bool:
    """Tell whether a coast that the support names is the one the fleet goes to (4.B.4, 6.B.9)."""
    assert isinstance(move, Move), "only a mover has a destination"
    if order.to is None or order.to.coast is None or rules.support_coast == "DPTG":
        return True
    return move.to.coast == order.to.coast or move.unit.kind == "A"


def _match_convoy(s: Struggle, unit: int, order: Convoy, fleets: dict[int, int]) -> None:
    army = order.army.location.province.index
    if s.dest[army] == order.to.province.index:
        s.convoyers |= 1 << unit
        fleets[army] = fleets.get(army, 0) | 1 << unit


def _choose_way(s: Struggle, unit: int, orders: Orders, fleets: int, rules: Rulebook) -> None:
    """Let the mover go over land or by convoy, or leave it open where the rules do (4.A.3)."""
    order = orders[unit]
    assert isinstance(order, Move), "only movers choose a way"
    if order.unit.kind == "F":
        return
    adjacent = s.board.army_reach[unit] >> s.dest[unit] & 1
    way = "convoy" if not adjacent else _adjacent_way(s, unit, order, fleets, rules)
    if way == "land":
        return
    s.by_land &= ~(1 << unit)
    s.routes[unit] = _used_fleets(s, unit, fleets, rules)
    if way == "either":
        s.optional |= 1 << unit
    else:
        s.convoyed |= 1 << unit
        s.pathed &= ~(1 << unit)


def _adjacent_way(s: Struggle, unit: int, order: Move, fleets: int, rules: Rulebook) -> str:
    choice = rules.adjacent_convoys
    trades = s.facing(unit) != NOWHERE
    own_fleet = bool(fleets & s.own[unit])
    if choice == "1971":
        return "either" if trades and _complete(s, unit, fleets) else "land"
    if choice == "1982":
        own_trade = trades and bool(s.own[unit] >> s.dest[unit] & 1) and _complete(s, unit, fleets)
        return "convoy" if own_fleet or own_trade else "land"
    if choice == "DPTG":
        return "convoy" if order.via_convoy else "land"
    wanted = own_fleet or order.via_convoy
    if choice == "2000fallback":
        return "either" if wanted and _complete(s, unit, fleets) else "land"
    return "convoy" if wanted else "land"


def _complete(s: Struggle, unit: int, fleets: int) -> bool:
    return has_route(s.board, unit, s.dest[unit], fleets)


def _used_fleets(s: Struggle, unit: int, fleets: int, rules: Rulebook) -> int:
    """Leave foreign fleets out where countrymen alone make a route (4.A.1, DPTG)."""
    if rules.multi_route_convoys == "DPTG" and _complete(s, unit, fleets & s.own[unit]):
        return fleets & s.own[unit]
    return fleets


def _protect_supports(s: Struggle, orders: Orders, position: Position, rules: Rulebook) -> None:
    """Mark the convoyed attackers that cannot cut a support under the printed rules of 4.A.2."""
    rule = rules.convoy_paradoxes
    if rule not in ("1971", "1982", "2000"):
        return
    for supporter in bits(s.supporters):
        fleet = position.unit_at[supporter]
        if rule != "2000" and (fleet is None or fleet.kind != "F"):
            continue
        for army in bits(s.into[supporter] & s.convoyed):
            if _is_protected(s, supporter, army, orders, rule):
                s.harmless[supporter] = s.harmless.get(supporter, 0) | 1 << army


def _is_protected(s: Struggle, supporter: int, army: int, orders: Orders, rule: str) -> bool:
    water = s.target[supporter]
    if rule == "1982":
        return bool(s.convoyers >> water & 1)
    order = orders[supporter]
    attacks = isinstance(order, Support) and order.to is not None
    fleets, goal = s.routes[army], s.dest[army]
    if rule == "1971":
        return attacks and bool(route_fleets(s.board, army, goal, fleets) >> water & 1)
    return attacks and bool(necessary_fleets(s.board, army, goal, fleets) >> water & 1)
