"""Which lines of an order set count: from the top, the first for each unit (4.D.3-4.D.6)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from judge.legality.check import Illegal, illegality
from judge.legality.lines import Line, Sheet
from judge.orders import Build, Convoy, Disband, Move, Order, Support, UnitOrder, Waive
from judge.position import Position
from judge.rulebook import Rulebook
from judge.units import Unit


def choose_all(sheets: Iterable[Sheet], position: Position, rules: Rulebook) -> list[Sheet]:
    """Return the sheets, with a reason for each line that another keeps from counting."""
    return [Sheet.of(sheet.power, choose(sheet.lines, position, rules)) for sheet in sheets]


def choose(lines: Sequence[Line], position: Position, rules: Rulebook) -> Sequence[Line]:
    """Return the lines of one power, with a reason for each that does not count.

    A line that has no order, or already has a reason, stays unchanged.
    """
    if position.phase.step == "A":
        return _adjustments(lines, position, rules)
    return _one_each(lines, rules.repeated_orders) if _repeats(lines) else lines


def _repeats(lines: Iterable[Line]) -> bool:
    """Tell whether two lines that count speak of the same province."""
    orders = [line.order for line in lines if line.illegal is None and line.order is not None]
    # Outside an adjustment phase every legal order is one to a unit.
    places = [order.unit.at for order in cast("list[UnitOrder]", orders)]
    return len(set(places)) < len(places)


def _unit_key(order: Order) -> Hashable:
    """Return what an order speaks of: a unit's province, or for builds the province to build in."""
    if isinstance(order, Build):
        return order.location.province
    if isinstance(order, Waive):
        return None
    return order.unit.location.province


def _one_each(lines: Iterable[Line], choice: str) -> list[Line]:
    """Let one order stand for a unit: the first (4.D.3 a), the last (b), none of several (c)."""
    lines = list(lines)
    if choice == "b":
        return _first_each(lines[::-1], last=True)[::-1]
    if choice == "c":
        return _none_of_several(lines)
    return _first_each(lines)


def _first_each(lines: Iterable[Line], *, last: bool = False) -> list[Line]:
    """Let the first order for each unit count; the same order written twice is one order (4.D.3).

    With `last`, the lines come from the bottom to the top.
    """
    seen: dict[Hashable, Line] = {}
    kept = []
    for line in lines:
        if line.counts and line.order is not None and not isinstance(line.order, Waive):
            first = seen.setdefault(_unit_key(line.order), line)
            if first.order != line.order or (first is not line and _is_adjustment(line.order)):
                line = replace(line, illegal=_second_order(line.order, first, last))
        kept.append(line)
    return kept


def _is_adjustment(order: Order) -> bool:
    """Tell whether carrying out the order twice is impossible (6.I.7, 6.J.2)."""
    return isinstance(order, Build | Disband)


def _second_order(order: Order, first: Line, last: bool) -> Illegal:
    if isinstance(order, Build):
        return Illegal(f"Only one unit can be built in {order.location.province}.")
    if isinstance(order, Waive):
        return Illegal("There is no build left to decline.")
    if last:
        return Illegal(f"A later order for {order.unit} counts: {first.order}.")
    return Illegal(f"{order.unit} has its order already: {first.order}.")


def _none_of_several(lines: list[Line]) -> list[Line]:
    orders: dict[Hashable, set[Order]] = {}
    for line in lines:
        if line.counts and line.order is not None:
            orders.setdefault(_unit_key(line.order), set()).add(line.order)
    return [
        replace(line, illegal=Illegal("No order counts where a unit is given two different ones."))
        if line.counts and line.order is not None and len(orders[_unit_key(line.order)]) > 1
        else line
        for line in lines
    ]


def _adjustments(lines: Sequence[Line], position: Position, rules: Rulebook) -> list[Line]:
    power = lines[0].power if lines else ""
    number = position.adjustment(power) if power else 0
    if number < 0:
        disbands = _one_each(lines, "a")
        return _within(disbands, -number, rules.surplus_disbands, f"{power} must disband only")
    each = {"a": "c", "b": "a", "c": "b"}[rules.builds_in_one_province]
    builds = _none_in_one_province(lines) if each == "c" else _one_each(lines, each)
    return _within(builds, number, rules.surplus_builds, f"{power} may build only")


def _none_in_one_province(lines: Sequence[Line]) -> list[Line]:
    """Let two builds in one province both fail (4.D.5 a)."""
    places = [_unit_key(line.order) for line in lines if line.counts and line.order is not None]
    return [
        replace(line, illegal=Illegal("Two units were ordered to be built in the same province."))
        if line.counts and isinstance(line.order, Build) and places.count(_unit_key(line.order)) > 1
        else line
        for line in lines
    ]


def _within(lines: list[Line], number: int, choice: str, limit: str) -> list[Line]:
    """Keep the first (b) or last (c) `number` of them; with (a), none if there are more."""
    counting = [index for index, line in enumerate(lines) if line.counts]
    if len(counting) <= number:
        return lines
    keep = {"a": [], "b": counting[:number], "c": counting[len(counting) - number :]}[choice]
    units = "1 unit" if number == 1 else f"{number} units"
    surplus = Illegal(f"{limit} {units}.")
    return [
        replace(line, illegal=surplus) if index in counting and index not in keep else line
        for index, line in enumerate(lines)
    ]


def with_implied(sheet: Sheet, position: Position, rules: Rulebook) -> Sheet:
    """Return the sheet with the moves that its supports and convoys imply after its own lines.

    A unit's own order comes first, and supports that imply different moves imply none.
    """
    lines = choose(sheet.lines, position, rules)
    orders = [line.order for line in lines if line.counts and line.order]
    ordered = {order.unit for order in orders if isinstance(order, UnitOrder)}
    moves: dict[Unit, set[Move]] = {}
    for move in _implied_moves(orders):
        if move.unit.power == sheet.power and move.unit not in ordered:
            moves.setdefault(move.unit, set()).add(move)
    implied = [one for one, *others in moves.values() if not others]
    legal = [one for one in implied if not illegality(one, position, sheet.power, rules)]
    implicit = [Line(sheet.power, None, one) for one in legal]
    return Sheet.of(sheet.power, [*sheet.lines, *implicit])


def _implied_moves(orders: Iterable[Order]) -> Iterator[Move]:
    """Yield the moves of other units that the orders imply."""
    for order in orders:
        if isinstance(order, Support) and order.to is not None:
            yield Move(order.supported, order.to)
        elif isinstance(order, Convoy):
            yield Move(order.army, order.to)
