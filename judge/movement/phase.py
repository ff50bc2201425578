"""A movement phase, from the written lines to results, retreats and the next position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from judge.board import bits
from judge.calendar import following
from judge.legality.lines import Sheet, lines_of
from judge.legality.selection import choose_all
from judge.movement.circles import resolve
from judge.movement.matching import enter_orders, match_orders
from judge.movement.report import MovementReport
from judge.movement.resolver import Resolver
from judge.movement.state import MovementState
from judge.movement.variant_resolver import VariantResolver
from judge.orders import Move, MovementOrder
from judge.outcome import Outcome
from judge.position import Position
from judge.retreats import retreats_of
from judge.rulebook import Rulebook
from judge.soundness import check_movement, check_number, check_units
from judge.units import Dislodged, Unit


def adjudicate_movement(position: Position, sheets: Sequence[Sheet], rules: Rulebook) -> Outcome:
    """Return the outcome of a movement phase."""
    written = sheets
    followed, all_count = orders_followed(sheets)
    entered = enter_orders(position, followed)
    if len(entered.orders) < len(followed):
        sheets = choose_all(sheets, position, rules)
        entered, all_count = enter_orders(position, orders_followed(sheets)[0]), False
    state, orders = entered.state, entered.orders
    match_orders(entered, position, rules, unsupported(position, written, orders, rules))
    resolver = VariantResolver if state.in_play else Resolver
    resolve(resolver(state, rules), rules.convoy_paradoxes)
    state.conclude()
    check_movement(state)
    beaten = state.beaten()
    dislodged = tuple(dislodged_units(position, state, beaten, rules)) if beaten else ()
    going = with_ends(orders, state) if state.in_play else orders
    units = units_after(position, going, state.went, dislodged)
    check = check_units if state.in_play else check_number
    check(len(position.units), units, dislodged)
    retreating = tuple([one for one in dislodged if one.retreats]) if dislodged else ()
    after, won = following(position, units, retreating)

    report = partial(MovementReport, position, sheets, orders, state, dislodged, rules, all_count)
    return Outcome(position, after, won, report)


def orders_followed(sheets: Iterable[Sheet]) -> tuple[list[MovementOrder], bool]:
    """Return the orders that are legal taken alone, and whether these are all."""
    # Every line has an order or is refused; what is legal in a movement phase is a movement order.
    followed: list[Any] = []
    all_count = True
    for sheet in sheets:
        orders = sheet.orders
        if sheet.refuses:
            orders = [one for one, no in zip(orders, sheet.refusals, strict=True) if no is None]
            all_count = False
        followed += orders
    return followed, all_count


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
    """Return the orders, where a unit that ended on its way has a move to where it got."""
    places = s.board.locations
    moves = {start: Move(orders[start].unit, places[end]) for start, end in s.ends.items()}
    return {**orders, **moves}


def units_after(
    position: Position,
    moves: Mapping[int, Any],
    went: Iterable[int],
    dislodged: Iterable[Dislodged],
) -> tuple[Unit, ...]:
    """Return the units where they stand after the moves, without the dislodged ones.

    Of `moves` only those of the units that `went` are looked up.
    """
    unit_of, layout = position.variant.unit, position.layout
    unit_at, rank = layout.unit_at, layout.rank
    became: list[Any] = [*position.units]
    for here in went:
        unit = unit_at[here]
        if unit is not None:  # A rule of the variant may move something other than a unit.
            to, kin = moves[here].to, unit.kin
            moved = kin[to.index] if kin else None
            if moved is None or moved.location is not to:  # It is new, or of another map.
                moved = unit_of(unit.kind, to, unit.power)
            became[rank[here]] = moved
    if not dislodged:
        return tuple(became)
    for one in dislodged:
        became[rank[one.unit.at]] = None
    return tuple(filter(None, became))


def dislodged_units(
    position: Position, s: MovementState, beaten: int, rules: Rulebook
) -> Iterator[Dislodged]:
    """Yield the dislodged units, each with its retreats (none: it is destroyed)."""
    occupied = s.occupied & ~s.moved | s.entered
    for here in bits(beaten):
        unit = position.unit_at[here]
        assert unit is not None, "only a unit can be beaten"
        yield Dislodged(unit, retreats_of(unit, position, s, occupied, rules))
