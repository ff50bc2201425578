"""Every order that a power can give in a phase, sorted for somebody who would rather choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from judge import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Permit,
    Position,
    Retreat,
    Ride,
    Rulebook,
    Support,
    Unit,
    Waive,
    legal_orders,
)


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """One decision of a power: a unit's order, a build, a disband."""

    of: str
    """What is decided: "A Paris", "Build 1 of 2"."""
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """The kinds of order there are, each with its orders as receipts write them."""

    @property
    def orders(self) -> frozenset[str]:
        """All orders among which to choose."""
        return frozenset(order for _, orders in self.groups for order in orders)


def order_choices(position: Position, power: str, rules: Rulebook) -> tuple[OrderChoice, ...]:
    """Return what the power has to decide, with the orders that are legal; nothing if it has no
    decision."""
    legal = _legal(position, rules).get(power, {})
    if position.phase.step != "A":
        return tuple(_of_units(position, legal))
    number = position.adjustment(power)
    word = "Build" if number > 0 else "Disband"
    groups = _group_by_kind([one for orders in legal.values() for one in orders], frozenset())
    names = [f"{word} {at} of {abs(number)}" for at in range(1, abs(number) + 1)]
    return tuple(OrderChoice(name, groups) for name in names)


@lru_cache(maxsize=32)
def _legal(
    position: Position, rules: Rulebook
) -> Mapping[str, Mapping[Unit | None, tuple[Order, ...]]]:
    # Remembered for a phase: finding them takes a while where fleets crowd the sea.
    return legal_orders(position, rules)


def _of_units(
    position: Position, legal: Mapping[Unit | None, tuple[Order, ...]]
) -> Iterator[OrderChoice]:
    for unit, orders in legal.items():
        if unit:
            yield OrderChoice(str(unit), _group_by_kind(orders, _by_land(position, unit)))
    permits = [one for one in legal.get(None, ()) if isinstance(one, Permit)]
    for canal in dict.fromkeys(one.unit for one in permits):
        yield OrderChoice(
            str(canal), _group_by_kind([p for p in permits if p.unit == canal], frozenset())
        )


def _by_land(position: Position, unit: Unit) -> frozenset[Order]:
    """Return the moves that need no convoy: to a neighbour, or by a rule of the variant."""
    steps = position.variant.board.steps(unit.kind, unit.location)
    own = [one for rule in position.variant.own_rules for one in rule.orders_of(unit, position)]
    return frozenset([*(Move(unit, place) for place in steps), *own])


def _group_by_kind(
    orders: Iterable[Order], by_land: frozenset[Order]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found: dict[str, list[str]] = {}
    for order in orders:
        found.setdefault(_kind(order, by_land), []).append(str(order))
    return tuple((kind, tuple(sorted(texts))) for kind, texts in found.items())


def _kind(order: Order, by_land: frozenset[Order]) -> str:
    match order:
        case Move():
            return "Move" if order in by_land else "Move by convoy"
        case Support(to=to):
            return "Support to hold" if to is None else "Support to move"
        case Build(kind=kind):
            return "Build an army" if kind == "A" else "Build a fleet"
        case _:
            return _OTHERS[type(order)]


_OTHERS: Mapping[type[Order], str] = {
    Hold: "Hold",
    Ride: "Move by rail",
    Convoy: "Convoy",
    Permit: "Let through",
    Retreat: "Retreat",
    Disband: "Disband",
    Waive: "Leave it out",
}
