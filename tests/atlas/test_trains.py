"""A train is drawn as far as it got, whatever it was ordered."""

from __future__ import annotations

import pytest

from atlas.drawn_orders import read_result
from judge import Position, adjudicate, load_variant

COLONIAL = load_variant("colonial")


@pytest.mark.parametrize(
    ("others", "to"),
    [([], "Irkutsk"), (["A Mongolia - Krasnoyarsk"], "Omsk"), (["A Orenburg - Perm"], "Irkutsk")],
)
def test_its_arrow_leads_to_where_it_stands(others: list[str], to: str) -> None:
    units = {"Russia": ["A Moscow"], "China": [line.partition(" - ")[0] for line in others]}
    centers = {"Russia": ["Moscow", "Omsk", "Vladivostok"]}
    state = {"phase": "S1870M", "units": units, "centers": centers}
    position = Position.from_state(COLONIAL, state)
    orders = {"Russia": ["A Moscow - TSR - Irkutsk"], "China": others}
    outcome = adjudicate(position, orders)
    drawn = read_result(outcome["A Moscow"], COLONIAL.board)
    assert drawn
    assert drawn.to
    ends = [unit for unit in outcome.next.units if unit.power == "Russia"]
    if to == "Irkutsk" and others:
        # It bounced at its first stop and never left.
        assert drawn.failed
        assert str(ends[0]) == "A Moscow"
    else:
        assert str(drawn.to) == to
        assert str(ends[0]) == f"A {to}"
