"""Matching: the orders that count become a `MovementState`, on integers, with nothing decided.

Here every support and convoy is matched with what its unit was ordered to do, every army that may
take two ways is given its way (4.A.3), and the rulebooks' own rules on paradoxes (4.A.2) mark the
supports that a convoyed attack cannot cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from judge.board import Board, bits, mask_of
from judge.convoys import has_route, necessary_fleets, useful_fleets
from judge.movement.results import AVAILABLE, GIVEN, STANDS
from judge.movement.state import NOWHERE, Entered, MovementState, Orders
from judge.orders import Convoy, Hold, Move, MovementOrder, Permit, Ride, Support
from judge.position import Position
from judge.rulebook import Rulebook


def enter_orders(position: Position, followed: Iterable[MovementOrder]) -> Entered:
    """Return the state of these orders, with nothing matched or decided.

    If several orders are for one unit, `orders` has fewer than were given, and the state is of no
    use.
    """
    s = MovementState(position.variant.board, position.layout)
    bit, plain, words = s.board.bit, s.board.plain_goals, s.usual_words
    dest, into, goals, contested, movers = s.dest, s.into, s.goals, s.contested, 0
    orders: Orders = {}
    special: list[Move] = []
    supports: list[Support] = []
    convoys: list[Convoy] = []
    others: list[Ride | Permit] = []
    # One pass over all orders, with masks: bit n of a mask is the unit in province n. Orders have
    # no subclasses, and "type(...) is" is faster than isinstance. Each branch asks for the unit
    # itself, as Python is faster where a line meets one class only.
    for order in followed:
        if type(order) is Move:
            unit, goal = order.unit.at, order.to.at
            here = bit[unit]
            dest[unit] = goal
            movers |= here
            # The first unit to go there makes it a goal, the second makes it contested.
            if comers := into[goal]:
                contested.add(goal)
                into[goal] = comers | here
            else:
                goals.append(goal)
                into[goal] = here
            # Whether the army really goes by convoy is decided once all convoys are known.
            if goal not in plain[unit] or order.via_convoy or order.path:
                special.append(order)
        elif type(order) is Support:
            unit = order.unit.at
            supports.append(order)
            words[unit] = GIVEN
        elif type(order) is Convoy:
            unit = order.unit.at
            convoys.append(order)
            words[unit] = AVAILABLE
        else:
            unit = order.unit.at
            words[unit] = STANDS
            if type(order) is not Hold:
                others.append(cast("Ride | Permit", order))
        orders[unit] = order
    s.movers = movers
    return Entered(s, orders, special, supports, convoys, others)


def match_orders(
    entered: Entered, position: Position, rules: Rulebook, unsupported: int = 0
) -> None:
    """Match the orders that were entered in a state.

    Units in `unsupported` get no hold support. A move in `orders` to a province with several coasts
    is given the coast that it means.
    """
    s, orders, special, supports, convoys, others = entered
    board = s.board
    crossing = []
    for move in special:
        if move.to.province.coasts:
            orders[move.unit.at] = _to_its_coast(move, board)
        if move.via_convoy or move.path or _needs_convoy(move, board):
            crossing.append(move)
    rules_of_its_own = position.variant.own_rules
    for rule in rules_of_its_own if others else ():
        rule.announce(others, s.dest)
    s.by_land = s.pathed = s.movers
    _match_supports(s, supports, orders, rules, unsupported)
    if convoys or crossing:
        _embark(s, orders, convoys, crossing, position, rules)
    if rules_of_its_own:
        for rule in rules_of_its_own:
            rule.enter(s, orders, position)


def _needs_convoy(move: Move, board: Board) -> bool:
    unit = move.unit
    return unit.kind == "A" and not board.army_reach[unit.at] & board.bit[move.to.at]


def _to_its_coast(order: Move, board: Board) -> Move:
    """Return the move with the destination's coast as meant (4.B.2, 4.B.6)."""
    if order.unit.kind == "A":
        return replace(order, to=board.location(order.to.province)) if order.to.coast else order
    if order.to.index in board.goals["F"][order.unit.location.index]:
        return order
    [arrival, *_] = board.arrivals("F", order.unit.location, order.to.province)
    return replace(order, to=arrival)


def _match_supports(
    s: MovementState,
    supports: list[Support],
    orders: Orders,
    rules: Rulebook,
    unsupported: int,
) -> None:
    """Count each support whose unit does what is supported (6.D.7, 6.D.9, 6.B.9)."""
    bit, dest, helpers, side = s.board.bit, s.dest, s.helpers, s.side
    supporters = helped = unmatched = 0
    for order in supports:
        unit, supported, to = order.unit.at, order.supported.at, order.to
        here = bit[unit]
        if to is None:
            if dest[supported] != NOWHERE or (unsupported and unsupported & bit[supported]):
                unmatched |= here
                continue
            side[unit] = bit[supported]
        elif dest[supported] == to.at and (
            to.coast is None or _coasts_match(order, orders[supported], rules)
        ):
            helped |= bit[supported]
            side[unit] = bit[to.at]
        else:
            unmatched |= here
            continue
        helpers[supported] |= here
        supporters |= here
    s.supporters, s.helped, s.unmatched = supporters, helped, unmatched


def _coasts_match(order: Support, move: MovementOrder, rules: Rulebook) -> bool:
    """Tell whether the coast that the support names is the one to which the fleet goes (4.B.4,
    6.B.9)."""
    assert isinstance(move, Move | Ride), "only a mover has a destination"
    assert order.to, "only the support of a move has a destination"
    if rules.support_coast == "DPTG" or move.unit.kind == "A":
        return True
    return move.to.coast == order.to.coast


def _embark(
    s: MovementState,
    orders: Orders,
    convoys: list[Convoy],
    crossing: list[Move],
    position: Position,
    rules: Rulebook,
) -> None:
    """Match the convoys, and let the armies that go by convoy take them."""
    fleets: dict[int, int] = {}
    for convoy in convoys:
        army, fleet = convoy.army.at, s.board.bit[convoy.unit.at]
        if s.dest[army] == convoy.to.at:
            s.convoyers |= fleet
            fleets[army] = fleets.get(army, 0) | fleet
        else:
            s.unmatched |= fleet
    armies = {order.unit.at: order for order in crossing}
    for unit in fleets:
        order = orders[unit]
        assert isinstance(order, Move), "a matched convoy is of a mover"
        armies[unit] = order
    for unit, order in armies.items():
        if order.unit.kind == "A":
            _choose_way(s, unit, order, fleets.get(unit, 0), rules)
    if rules.convoyed_attack != "start":
        _turn_attacks(s, rules)
    if s.convoyed:
        _protect_supports(s, orders, position, rules)


def _choose_way(s: MovementState, unit: int, order: Move, fleets: int, rules: Rulebook) -> None:
    """Send the mover over land or by convoy, or leave that open where the rules do (4.A.3)."""
    bit = s.board.bit
    by_path = order.path and rules.convoy_paths != "a"
    adjacent = s.board.army_reach[unit] & bit[s.dest[unit]] and not by_path
    way = _adjacent_way(s, unit, order, fleets, rules) if adjacent else "convoy"
    if way == "land":
        return
    if by_path:
        fleets &= mask_of(water.province.index for water in order.path)
    elif rules.convoy_paths == "c":
        fleets = 0
    here = bit[unit]
    s.by_land ^= here
    s.routes[unit] = _used_fleets(s, unit, fleets, rules)
    if way == "either":
        s.optional |= here
    else:
        s.convoyed |= here
        s.pathed ^= here


def _adjacent_way(s: MovementState, unit: int, order: Move, fleets: int, rules: Rulebook) -> str:
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


def _complete(s: MovementState, unit: int, fleets: int) -> bool:
    return has_route(s.board, unit, s.dest[unit], fleets)


def _used_fleets(s: MovementState, unit: int, fleets: int, rules: Rulebook) -> int:
    """Leave out foreign fleets where the power's own make a route alone (4.A.1, DPTG)."""
    if rules.multi_route_convoys == "DPTG" and _complete(s, unit, fleets & s.own[unit]):
        return fleets & s.own[unit]
    return fleets


def _turn_attacks(s: MovementState, rules: Rulebook) -> None:
    """Let convoyed attacks come from the last fleet (4.A.4, Brannan) or from nowhere (DPTG)."""
    for army in bits(s.convoyed):
        last = s.routes[army] & s.board.shores[s.dest[army]]
        if rules.convoyed_attack == "Brannan" and last.bit_count() == 1:
            s.last_fleet[army] = last.bit_length() - 1
    for unit in bits(s.supporters):
        target = s.side[unit]
        s.side[unit] &= ~s.convoyed
        for army in bits(s.into[unit] & s.convoyed):
            if target >> s.last_fleet.get(army, unit) & 1:
                s.side[unit] |= 1 << army


def _protect_supports(
    s: MovementState, orders: Orders, position: Position, rules: Rulebook
) -> None:
    """Mark the convoyed attackers that cannot cut a support under the printed rules of 4.A.2."""
    rule = rules.convoy_paradoxes
    if rule not in ("1971", "1982", "2000"):
        return
    for supporter in bits(s.supporters):
        fleet = position.unit_at[supporter]
        if rule != "2000" and (fleet is None or fleet.kind != "F"):
            continue
        for army in bits(s.into[supporter] & s.convoyed):
            if _is_protected(s, army, orders[supporter], rules):
                s.harmless[supporter] = s.harmless.get(supporter, 0) | 1 << army


def _is_protected(s: MovementState, army: int, order: MovementOrder, rules: Rulebook) -> bool:
    assert isinstance(order, Support), "only supports are protected"
    rule = rules.convoy_paradoxes
    water = (order.to or order.supported.location).province.index
    if rule == "1982":
        return bool(s.convoyers >> water & 1)
    if order.to is None:
        return False
    fleets, goal = s.routes[army], s.dest[army]
    # Where losing any route means losing the convoy (4.A.1), every fleet of a route is necessary.
    if rule == "1971" or rules.multi_route_convoys != "b":
        return bool(useful_fleets(s.board, army, goal, fleets) >> water & 1)
    return bool(necessary_fleets(s.board, army, goal, fleets) >> water & 1)
