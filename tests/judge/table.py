"""Setting a table for a test: a position from a few words, and results by their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judge import DATC, MovementOrder, Outcome, Position, Rulebook, adjudicate, load_variant
from judge.movement.matching import enter_orders, match_orders
from judge.movement.state import MovementState

Lists = Mapping[str, Sequence[str]]


def stand(
    units: Lists,
    *,
    phase: str = "S1901M",
    centers: Lists | None = None,
    dislodged: Sequence[Mapping[str, Any]] = (),
    variant: str = "standard",
) -> Position:
    """The position with these units ({"France": ["A Paris"]}) and centres."""
    state = {
        "phase": phase,
        "units": {power: list(names) for power, names in units.items()},
        "centers": {power: list(names) for power, names in (centers or {}).items()},
        "dislodged": list(dislodged),
    }
    return Position.from_state(load_variant(variant), state)


def play(position: Position, orders: Lists, rules: Rulebook = DATC) -> Outcome:
    """The outcome of these order lines."""
    return adjudicate(position, {power: list(lines) for power, lines in orders.items()}, rules)


def undecided(
    position: Position, orders: Iterable[MovementOrder], rules: Rulebook = DATC
) -> MovementState:
    """The state of a phase with these orders, one for each unit, and nothing decided."""
    entered = enter_orders(position, orders)
    match_orders(entered, position, rules)
    return entered.state


def words(outcome: Outcome) -> dict[str, str]:
    """What became of each order, by its canonical text."""
    return {str(result.order): ", ".join(result.result) for result in outcome.results}


def reasons(outcome: Outcome) -> dict[str, str | None]:
    """Why, by the order's canonical text."""
    return {str(result.order): result.reason for result in outcome.results}


def units(position: Position) -> list[str]:
    """All units with their powers, sorted: ["France: A Paris"]."""
    return sorted(f"{unit.power}: {unit}" for unit in position.units)
