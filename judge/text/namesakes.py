"""Names taken for one another: "F Tyr" of a fleet in the Tyrrhenian Sea is a unit in Tyrolia."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.orders import Convoy, Order, Permit, Support, UnitOrder
from judge.position import Position
from judge.text.names import key_of
from judge.units import Unit

_LETTERS_ALIKE = 3


def namesake(order: Order | None, position: Position, power: str) -> Unit | None:
    """Return the unit that a refused order may have meant when it names one that is not there.

    It is the only unit whose province begins with the same letters; None if there is no such unit.
    """
    if not isinstance(order, UnitOrder):
        return None
    for unit, standing in _units_named(order, position, power):
        if all(other.at != unit.at for other in standing):
            alike = [other for other in standing if _are_alike(unit, other)]
            return alike[0] if len(alike) == 1 else None
    return None


def _units_named(
    order: UnitOrder, position: Position, power: str
) -> Iterator[tuple[Unit, Sequence[Unit]]]:
    """Yield each unit that the order names, and those that its names could mean."""
    left = position.orderable(power)
    if isinstance(order, Permit):
        yield order.fleet, position.units
        return
    yield order.unit, left if isinstance(left, tuple) else position.units_of(power)
    if isinstance(order, Support):
        yield order.supported, position.units
    elif isinstance(order, Convoy):
        yield order.army, position.units


def _are_alike(written: Unit, other: Unit) -> bool:
    names = (key_of(unit.location.province.name)[:_LETTERS_ALIKE] for unit in (written, other))
    return len(set(names)) == 1 and written.kind in ("", other.kind)
