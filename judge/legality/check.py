"""What makes an order illegal (DATC 3.2, 4.E.1): legal is read as restrictively as possible.

An order is legal when some orders of the others could make it work with the units that stand on
the board now. Legality never depends on what others order (4.E.3).
"""

from __future__ import annotations

from collections.abc import Callable

from judge.errors import JudgeError
from judge.legality.adjustment import illegal_build, illegal_disband, illegal_waive
from judge.legality.movement import illegal_convoy, illegal_hold, illegal_move, illegal_support
from judge.legality.refusal import Illegal
from judge.legality.retreat import illegal_retreat, illegal_retreat_disband, retreat_place
from judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Permit,
    Retreat,
    Ride,
    Support,
    Waive,
)
from judge.phase import Step
from judge.position import Position
from judge.rulebook import DATC, Rulebook
from judge.shortcuts import is_plain

__all__ = ["Illegal", "by_the_rules", "illegality", "retreat_place"]


def illegality(
    order: Order, position: Position, power: str, rules: Rulebook = DATC
) -> Illegal | None:
    """Return why `power` may not give that order in the position, or None when it is legal.

    Looks at the order alone: `judge.legality.selection` decides about a second order to a unit, or
    one build too many. Raises JudgeError for anything but an order.
    """
    if position.phase.step == "M" and is_plain(order, position, power):
        return None
    return by_the_rules(order, position, power, rules)


def by_the_rules(order: Order, position: Position, power: str, rules: Rulebook) -> Illegal | None:
    """Return the same by asking rule after rule, with no shortcut for plain orders."""
    step = position.phase.step
    check = _CHECKS[step].get(type(order))
    if check is None:
        if not isinstance(order, Order):
            raise JudgeError(f"{order!r} is not an order; write one such as “A Paris - Burgundy”.")
        return Illegal(_WRONG_PHASE[step])
    wrong = check(order, position, power, rules)
    if wrong is None or not position.variant.own_rules:
        return wrong
    objections = (rule.objection(order, position) for rule in position.variant.own_rules)
    return next(filter(None, objections), wrong)


def illegal_by_variant(
    order: Ride | Permit, position: Position, power: str, rules: Rulebook
) -> Illegal | None:
    """Only a variant's own rule knows such an order: a ride by rail, or leave to pass a canal."""
    name = order.line if isinstance(order, Ride) else order.unit.name
    for rule in position.variant.own_rules:
        passage = rule.railway if isinstance(order, Ride) else rule.canal
        if passage is not None and passage.id == name:
            return rule.illegality(order, position, power)
    return Illegal(f"There is no {name} on this map.")


_WRONG_PHASE: dict[Step, str] = {
    "M": "In a movement phase a unit can hold, move, support or convoy.",
    "R": "In a retreat phase a dislodged unit can only retreat or disband.",
    "A": "In an adjustment phase only builds and disbands can be ordered.",
}

_Check = Callable[..., Illegal | None]

_CHECKS: dict[Step, dict[type, _Check]] = {
    "M": {
        Hold: illegal_hold,
        Move: illegal_move,
        Support: illegal_support,
        Convoy: illegal_convoy,
        Ride: illegal_by_variant,
        Permit: illegal_by_variant,
    },
    "R": {Retreat: illegal_retreat, Move: illegal_retreat, Disband: illegal_retreat_disband},
    "A": {Build: illegal_build, Disband: illegal_disband, Waive: illegal_waive},
}
