"""The orders for which the simulation checks the equations of DATC 5.B."""

from __future__ import annotations

from judge import Position, Rulebook, adjudicate
from tests.simulate.checks.games import rejudged

BOARD = {
    "phase": "S1901M",
    "units": {"Germany": ["A Kiel"], "France": ["A Paris"]},
    "centers": {"Germany": ["Kiel"], "France": ["Paris"]},
}
ILLEGAL = ["A Munich - Berlin", "A Paris - Gascony"]
"""Germany has no army in Munich, and that in Paris is France's."""


def test_orders_for_units_that_a_power_has_not_are_no_part_of_the_equations() -> None:
    position, rules = Position.from_state("standard", BOARD), Rulebook()
    given = {"Germany": [*ILLEGAL, "A Kiel - Ruhr"], "France": ["A Paris - Burgundy"]}
    outcome = adjudicate(position, given, rules)
    counting = [str(one) for one in rejudged._orders(position, outcome, rules)]
    assert counting == ["A Kiel - Ruhr", "A Paris - Burgundy"]
    rejudged._obeys(position, outcome, rules, "marne")
