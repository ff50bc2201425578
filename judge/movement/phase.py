"""A movement phase, from the written lines to results, retreats and the next position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from judge.board import bits
from judge.calendar import following
from judge.legality.lines import Sheet, lines_of
from judge.legality.selection import choose_all
from judge.movement.circles import resolve
from judge.movement.matching import match_orders
from judge.movement.report import MovementReport
from judge.movement.resolver import Resolver
from judge.movement.state import MovementState
from judge.movement.variant_resolver import VariantResolver
from judge.orders import Move, MovementOrder, Order
from judge.outcome import Outcome
from judge.position import Position
from judge.retreats import retreats_of
from judge.rulebook import Rulebook
from judge.soundness import check_movement, check_units
from judge.units import Dislodged, Unit


def adjudicate_movement(position: Position, sheets: Sequence[Sheet], rules: Rulebook) -> Outcome:
    """Return the outcome of a movement phase."""
    written = sheets
    followed = orders_followed(sheets)
    orders = by_unit(followed)
    if len(orders) < len(followed):
        sheets = choose_all(sheets, position, rules)
        orders = by_unit(orders_followed(sheets))
    state = match_orders(position, orders, rules, unsupported(position, written, orders, rules))
    resolver = VariantResolver if state.in_play else Resolver
    resolve(resolver(state, rules), rules.convoy_paradoxes)
    for rule in state.in_play:
        rule.conclude(state)
    check_movement(state)
    beaten = state.beaten()
    dislodged = tuple(dislodged_units(position, state, beaten, rules)) if beaten else ()
    going = with_ends(orders, state) if state.in_play else orders
    units = units_after(position, going, state.moved, beaten)
    check_units(len(position.units), units, dislodged)
    after, won = following(position, units, tuple([one for one in dislodged if one.retreats]))

    report = partial(MovementReport, position, sheets, orders, state, dislodged, rules)
    return Outcome(position, after, won, report)


def orders_followed(sheets: Iterable[Sheet]) -> list[MovementOrder]:
    """Return the orders that are legal taken alone."""
    followed: list[Order | None] = []
    for _, _, orders, refusals in sheets:
        if any(refusals):
            orders = [one for one, no in zip(orders, refusals, strict=True) if no is None]
        followed += orders
    # Every line has an order or is refused; what is legal in a movement phase is a movement order.
    return cast("list[MovementOrder]", followed)


def by_unit(orders: Iterable[MovementOrder]) -> dict[int, MovementOrder]:
    """Return the orders by the index of their unit's province, one for each unit."""
    return {order.unit.at: order for order in orders}


def unsupported(
    position: Position,
    sheets: Iterable[Sheet],
    orders: Mapping[int, MovementOrder],
    rules: Rulebook,
) -> int:
    """Return the units that must not be supported in holding, as a mask (4.D.9 a, 4.E.1 DPTG).

    An illegal move costs support only a unit of the power that wrote it, and only if that unit has
    no legal order in `orders`: the DPTG speaks of the unit's order.
    """
    mask = 0
    if rules.illegal_orders == "DPTG":
        for line in lines_of(sheets):
            if not line.illegal or not isinstance(line.order, Move):
                continue
            here = line.order.unit.at
            unit = position.unit_at[here]
            if unit is not None and unit.power == line.power and here not in orders:
                mask |= 1 << here
    if rules.civil_disorder_support == "a":
        ordering = {sheet.power for sheet in sheets if sheet.orders}
        for unit in position.units:
            if unit.power not in ordering:
                mask |= 1 << unit.at
    return mask


def with_ends(orders: Mapping[int, MovementOrder], s: MovementState) -> dict[int, MovementOrder]:
    """Return the orders, with a move to where it got for each unit that ended on its way."""
    places = s.board.locations
    moves = {start: Move(orders[start].unit, places[end]) for start, end in s.ends.items()}
    return {**orders, **moves}


def units_after(
    position: Position, orders: Mapping[int, MovementOrder], moved: int, beaten: int
) -> tuple[Unit, ...]:
    """Return the units where they stand after the moves, without the dislodged ones."""
    unit_at, unit_of, bit = position.unit_at, position.variant.unit, position.variant.board.bit
    moves = cast("Mapping[int, Move]", orders)  # Only those of movers are looked up.
    became = unit_at.copy()
    while beaten:
        here = beaten.bit_length() - 1
        beaten ^= bit[here]
        became[here] = None
    while moved:
        here = moved.bit_length() - 1
        moved ^= bit[here]
        unit = unit_at[here]
        if unit is not None:  # A rule of the variant may move what is no unit.
            became[here] = unit_of(unit.kind, moves[here].to, unit.power)
    return tuple([one for unit in position.units if (one := became[unit.at])])


def dislodged_units(
    position: Position, s: MovementState, beaten: int, rules: Rulebook
) -> Iterator[Dislodged]:
    """Yield the dislodged units, each with its retreats (none: it is destroyed)."""
    occupied = s.occupied & ~s.moved | s.entered()
    for here in bits(beaten):
        unit = position.unit_at[here]
        assert unit is not None, "only a unit can be beaten"
        yield Dislodged(unit, retreats_of(unit, position, s, occupied, rules))
